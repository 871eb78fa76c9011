import { useForm } from "@marketday/client/forms/use-form.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import * as calls from "@marketday/contracts/calls";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { PasswordInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useState } from "react";

import { call } from "../../lib/api.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { NewPasswordFields } from "../auth/new-password-fields.tsx";
import { isNewPassword } from "../auth/reset-rules.ts";

import s from "./profile.module.css";

const ids = { oldPassword: "password-current" };
const empty = { current: "", password: "", confirm: "" };

/** Another password: the current one, a new one and the same again (spec §5 Profile). */
export function PasswordSection() {
  const { openModal } = useNavigation();
  const [values, setValues] = useState(empty);
  // New fields after each success: what was left before says nothing about them.
  const [turn, setTurn] = useState(0);
  const { running, error, problems, field, submit } = useForm({ ids, problems: [] });
  useUnsaved(values.current !== "");
  const put = (change: Partial<typeof empty>) => setValues((before) => ({ ...before, ...change }));
  const isReady = values.current !== "" && isNewPassword(values);

  const save = async () => {
    await call(calls.updatePassword, { body: { oldPassword: values.current, newPassword: values.password } });
    setValues(empty);
    setTurn((before) => before + 1);
    toast({ text: screenMessages.passwordUpdated });
  };
  return (
    <section className={s.section} aria-labelledby="password-title">
      <h3 id="password-title">Password</h3>
      <Form key={turn} onSubmit={() => isReady && void submit(save)} problems={problems}>
        <Field
          label="Current password"
          {...field("oldPassword")}
          aside={
            <Button kind="link" id="profile-forgot" onClick={() => openModal({ kind: "forgot" }, "profile-forgot")}>
              Forgot Password
            </Button>
          }
        >
          <PasswordInput
            autoComplete="current-password"
            enterKeyHint="next"
            value={values.current}
            onChange={(event) => put({ current: event.target.value })}
          />
        </Field>
        <NewPasswordFields value={values} onChange={put} />
        <Button type="submit" kind="outline" disabled={!isReady} busy={running !== null && "Saving…"}>
          Save Password
        </Button>
      </Form>
      {error && <AlertBox>{error}</AlertBox>}
    </section>
  );
}
