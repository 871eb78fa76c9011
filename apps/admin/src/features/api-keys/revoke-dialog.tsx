import { useAction } from "@marketday/client/forms/use-action.ts";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Stack } from "@marketday/ui/layout.tsx";

import * as t from "#messages/api-keys";

import { AlertBox } from "../session/alert-box.tsx";
import type { ApiKey } from "./api.ts";

/** The words of revoking a key, or of removing one that has expired. */
export const endingOf = ({ name, start, isExpired }: ApiKey) =>
  isExpired
    ? { title: t.removeTitle(name, start), effect: t.removeEffect, action: t.removeExpired, done: t.removed(name) }
    : { title: t.revokeTitle(name, start), effect: t.revokeEffect, action: t.revoke, done: t.revoked(name) };

interface RevokeDialogProps {
  title: string;
  effect: string;
  action: string;
  /** The id that gets the focus when the dialog has closed. */
  returnTo: string;
  /** Revokes and says so; false: the person did not confirm who they are. */
  revoke: () => Promise<boolean>;
  onClose: () => void;
}

/** A sentence with the name comes before a key is revoked: what it served stops at once. */
export function RevokeDialog({ title, effect, action, returnTo, revoke, onClose }: RevokeDialogProps) {
  const { running, error, attempt } = useAction();
  return (
    <Dialog onClose={onClose} returnTo={returnTo}>
      <DialogTitle>{title}</DialogTitle>
      <DialogBody>
        <Stack gap={4}>
          <p>{effect}</p>
          <Button
            kind="danger"
            wide
            busy={running !== null && t.revoking}
            onClick={() =>
              void attempt("revoke", async () => {
                if (await revoke()) onClose();
              })
            }
          >
            {action}
          </Button>
          <Button kind="quiet" wide onClick={onClose}>
            {t.cancel}
          </Button>
          {error && <AlertBox key={error}>{error}</AlertBox>}
        </Stack>
      </DialogBody>
    </Dialog>
  );
}
