import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Stack } from "@marketday/ui/layout.tsx";

import * as t from "#messages/session";

interface LostPasskeyProps {
  /** Typed so far. */
  email: string;
  onRecoveryCode: () => void;
}

/** What helps after a passkey is lost: a recovery code, an owner, or the server. */
export const LostPasskey = ({ email, onRecoveryCode }: LostPasskeyProps) => (
  <Stack gap={4}>
    <p>{t.lostRecovery}</p>
    <Button kind="outline" wide onClick={onRecoveryCode}>
      {t.byRecoveryCode}
    </Button>
    <p>{t.lostOwner}</p>
    <p>{t.lostMachine}</p>
    <CommandHint command={t.lostCommand(email.trim() || t.emailPlaceholder)} />
  </Stack>
);
