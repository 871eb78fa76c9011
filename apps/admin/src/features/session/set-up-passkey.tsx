import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { deviceName } from "@marketday/domain/device";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { AlertBox } from "./alert-box.tsx";
import { NameField } from "./name-field.tsx";
import { createPasskey } from "./passkeys.ts";
import type { SetUp } from "./set-up.ts";

interface SetUpPasskeyProps {
  token: string;
  name: string;
  onName: (name: string) => void;
  onSetUp: (setUp: SetUp) => void;
}

const ids = controlIds("invite", { name: "", passkeyName: "" });

/** Creates the first passkey of a person who opened a link. */
export function SetUpPasskey({ token, name, onName, onSetUp }: SetUpPasskeyProps) {
  const [passkeyName, setPasskeyName] = useState(() => deviceName(navigator.userAgent));
  const [isCancelled, setCancelled] = useState(false);
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      name: name.trim() === "" && t.enterName,
      passkeyName: passkeyName.trim() === "" && t.enterDeviceName,
    }),
  });
  const create = async () => {
    setCancelled(false);
    const options = await call(calls.startInvitePasskey, { params: { token }, body: { name } });
    const passkey = await createPasskey(options);
    if (!passkey) return setCancelled(true);
    onSetUp(await call(calls.acceptInviteWithPasskey, { params: { token }, body: { name, passkeyName, passkey } }));
  };
  return (
    <Form onSubmit={() => void submit(create)} problems={problems}>
      <NameField field={field("name")} value={name} onChange={onName} />
      <Field label={t.deviceName} hint={t.deviceNameHint} {...field("passkeyName")}>
        <TextInput
          autoComplete="off"
          maxLength={60}
          value={passkeyName}
          onChange={(event) => setPasskeyName(event.target.value)}
        />
      </Field>
      <Button type="submit" size="lg" wide icon="key" busy={running !== null && t.creatingPasskey}>
        {t.createPasskey}
      </Button>
      {isCancelled && <p role="status">{t.passkeyCancelled}</p>}
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </Form>
  );
}
