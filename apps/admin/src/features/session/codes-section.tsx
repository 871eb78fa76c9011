import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { AlertBox } from "./alert-box.tsx";
import { sessionQuery, useMe } from "./api.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { securityQuery } from "./security-query.ts";
import { useShownOnce, useToastOnceLeft } from "./shown-once.tsx";
import { useStepUp } from "./step-up.tsx";

import s from "./security-page.module.css";

/** As many left as make new ones due. */
const FEW = 3;
const CODES = "security-codes";

/** Recovery codes and the password of the person who is signed in. */
export function CodesSection({ left, hasPassword }: { left: number; hasPassword: boolean }) {
  const [isRenewing, setRenewing] = useState(false);
  return (
    <>
      <section className={s.section} aria-labelledby={CODES}>
        <div className={s.title}>
          <h2 id={CODES} tabIndex={-1}>
            {t.recoveryCodes}
          </h2>
          <Compact>
            <Button kind="outline" icon="again" onClick={() => setRenewing(true)}>
              {t.renewCodes}
            </Button>
          </Compact>
        </div>
        <p className={s.note}>
          {left === 0 ? (
            <StatusMark shape="late">{t.noCodesLeft}</StatusMark>
          ) : left <= FEW ? (
            <StatusMark shape="due">{t.codesLeft(left)}</StatusMark>
          ) : (
            t.codesLeft(left)
          )}
        </p>
      </section>
      <section className={s.section} aria-labelledby="security-password">
        <h2 id="security-password">{t.passwordAndApp}</h2>
        <p className={s.note}>{hasPassword ? t.hasPassword : t.hasNoPassword}</p>
      </section>
      {isRenewing && <RenewCodes onClose={() => setRenewing(false)} />}
    </>
  );
}

function RenewCodes({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { email } = useMe();
  const { data: session } = useQuery(sessionQuery);
  const withStepUp = useStepUp();
  const { running, error, attempt } = useAction();
  const { show } = useShownOnce();
  const toastOnceLeft = useToastOnceLeft();
  const renew = async () => {
    const subject = { title: t.renewTitle, effect: t.renewEffect, action: t.renewCodes };
    const renewed = await withStepUp(subject, (idempotencyKey) =>
      call(calls.renewRecoveryCodes, undefined, { idempotencyKey }),
    );
    if (!renewed) return;
    // Codes that are shown once cannot be closed by a slip.
    show((onDone) => (
      <Dialog returnTo={CODES}>
        <DialogBody>
          <Stack gap={4}>
            <DialogTitle>{t.codesTitle}</DialogTitle>
            <RecoveryCodes
              codes={renewed.recoveryCodes}
              marketName={session?.marketName ?? ""}
              email={email}
              doneLabel={t.codesDone}
              onDone={onDone}
            />
          </Stack>
        </DialogBody>
      </Dialog>
    ));
    onClose();
    void client.invalidateQueries({ queryKey: securityQuery.queryKey });
  };
  return (
    <Dialog onClose={onClose} returnTo={CODES}>
      <DialogTitle>{t.renewTitle}</DialogTitle>
      <DialogBody>
        <Stack gap={4}>
          <p>{t.renewEffect}</p>
          <Button
            wide
            busy={running !== null && t.renewing}
            onClick={() => void attempt("renew", () => toastOnceLeft(renew))}
          >
            {t.renewCodes}
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
