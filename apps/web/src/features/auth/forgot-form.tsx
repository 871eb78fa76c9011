import { problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import * as calls from "@marketday/contracts/calls";
import { EMAIL_MAX } from "@marketday/domain/limits";
import { isEmail } from "@marketday/domain/text";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import { call } from "../../lib/api.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { AlertBox } from "./alert-box.tsx";
import { authDraft } from "./draft.ts";

import s from "./auth.module.css";

const ids = { email: "forgot-email" };

/**
 * Asks for a link for a new password by email (spec §5 Forgot password). Shows the same for every address. Needs no
 * router, so that the frames' logins have it too. `onBack`: to the login it came from.
 */
export default function ForgotForm({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState(authDraft.read().email);
  const [isSent, setSent] = useState(false);
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { email: !isEmail(email) && screenMessages.forgotEmail }),
  });
  const send = async () => {
    await call(calls.forgotPassword, { body: { email } });
    setSent(true);
  };

  return (
    <>
      <p className={s.lead}>We'll email you a link to choose a new one.</p>
      <div className={s.form}>
        <Form
          onSubmit={() => {
            setSent(false);
            void submit(send);
          }}
          problems={problems}
        >
          <Field label="Email" {...field("email")}>
            <TextInput
              data-autofocus=""
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="send"
              maxLength={EMAIL_MAX}
              value={email}
              onChange={(event) => {
                setEmail(event.target.value);
                authDraft.keep({ email: event.target.value });
              }}
            />
          </Field>
          <Button type="submit" size="lg" wide busy={running !== null && "Sending…"}>
            {isSent ? "Send it again" : "Send me a link"}
          </Button>
        </Form>
        {isSent && (
          <Banner tone="other" role="status" title={screenMessages.checkEmail}>
            The link works once, within the next hour.
          </Banner>
        )}
        {error && <AlertBox>{error}</AlertBox>}
      </div>
      <p className={s.other}>
        <Button kind="link" onClick={onBack}>
          Back to Login
        </Button>
      </p>
    </>
  );
}
