import { useMarketNow } from "@marketday/client/clock.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { AddPasskey } from "./add-passkey.tsx";
import { AlertBox } from "./alert-box.tsx";
import { sessionQuery } from "./api.ts";
import { browserHasPasskeys } from "./passkeys.ts";
import { type Security, securityQuery } from "./security-query.ts";
import { useStepUp } from "./step-up.tsx";
import { when } from "./when.ts";

import s from "./security-page.module.css";

type Passkey = Security["passkeys"][number];

/** The passkeys of the person who is signed in. */
export function PasskeysSection({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { data: session } = useQuery(sessionQuery);
  const canAdd = (session?.passkeysWork ?? false) && browserHasPasskeys();
  const now = useMarketNow();
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  return (
    <section className={s.section} aria-labelledby="security-passkeys">
      <div className={s.title}>
        <h2 id="security-passkeys" tabIndex={-1}>
          {t.passkeys}
        </h2>
        {canAdd && (
          <Compact>
            <Button kind="outline" icon="plus" onClick={() => setAdding(true)}>
              {t.addPasskey}
            </Button>
          </Compact>
        )}
      </div>
      {passkeys.length > 0 && (
        <ul className={s.rows} aria-labelledby="security-passkeys">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className={s.row}>
              <Icon name="key" size="sm" />
              <span className={s.what}>
                <strong>{passkey.name}</strong>
                <small>
                  {t.passkeyFacts(
                    when(passkey.createdAt, now),
                    passkey.lastUsedAt === null ? null : when(passkey.lastUsedAt, now),
                  )}
                </small>
                <small>{passkey.isSynced ? t.synced : t.onDevice}</small>
              </span>
              <Compact size="sm">
                <Button kind="quiet" aria-label={t.removeOf(passkey.name)} onClick={() => setRemoving(passkey)}>
                  {t.remove}
                </Button>
              </Compact>
            </li>
          ))}
        </ul>
      )}
      {passkeys.length < 2 && (
        <p className={s.note}>
          {!canAdd
            ? passkeys.length === 0
              ? t.noPasskeysHttp
              : null
            : passkeys.length === 0
              ? t.noPasskeys
              : t.onePasskey}
        </p>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {removing && <RemovePasskey passkey={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const { running, error, attempt } = useAction();
  const remove = async () => {
    const subject = { title: t.removeTitle(passkey.name), effect: t.removeEffect, action: t.remove };
    const removed = await withStepUp(subject, (idempotencyKey) =>
      call(calls.removePasskey, { params: { id: passkey.id } }, { idempotencyKey }),
    );
    if (!removed) return;
    await client.invalidateQueries({ queryKey: securityQuery.queryKey });
    toast({ text: t.removed });
    onClose();
  };
  return (
    <Dialog onClose={onClose} returnTo="security-passkeys">
      <DialogTitle>{t.removeTitle(passkey.name)}</DialogTitle>
      <DialogBody>
        <Stack gap={4}>
          <p>{t.removeEffect}</p>
          <Button
            kind="danger"
            wide
            busy={running !== null && t.removing}
            onClick={() => void attempt("remove", remove)}
          >
            {t.remove}
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
