import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { deviceName } from "@marketday/domain/device";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { AlertBox } from "./alert-box.tsx";
import { createPasskey } from "./passkeys.ts";
import { securityQuery } from "./security-query.ts";
import { useStepUp } from "./step-up.tsx";

const ids = controlIds("add-passkey", { name: "" });

/** Adds a passkey of another device, or of a security key. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const [name, setName] = useState(() => deviceName(navigator.userAgent));
  const [isCancelled, setCancelled] = useState(false);
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { name: name.trim() === "" && t.enterDeviceName }),
  });
  const add = async () => {
    setCancelled(false);
    const subject = { title: t.addPasskey, effect: t.addPasskeyEffect, action: t.addPasskey };
    const options = await withStepUp(subject, () => call(calls.startPasskey));
    if (!options) return;
    const passkey = await createPasskey(options);
    if (!passkey) return setCancelled(true);
    const added = await withStepUp(subject, (idempotencyKey) =>
      call(calls.addPasskey, { body: { passkey, name } }, { idempotencyKey }),
    );
    if (!added) return setCancelled(true);
    await client.invalidateQueries({ queryKey: securityQuery.queryKey });
    toast({ text: t.passkeyAdded });
    onClose();
  };
  return (
    <Dialog onClose={onClose}>
      <DialogTitle>{t.addPasskey}</DialogTitle>
      <DialogBody>
        <Form onSubmit={() => void submit(add)} problems={problems}>
          <p>{t.addPasskeyEffect}</p>
          <Field label={t.deviceName} hint={t.deviceNameHint} {...field("name")}>
            <TextInput
              data-autofocus=""
              autoComplete="off"
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <Button type="submit" wide icon="key" busy={running !== null && t.creatingPasskey}>
            {t.addPasskey}
          </Button>
          {isCancelled && <p role="status">{t.addPasskeyCancelled}</p>}
          {error && <AlertBox key={error}>{error}</AlertBox>}
        </Form>
      </DialogBody>
    </Dialog>
  );
}
