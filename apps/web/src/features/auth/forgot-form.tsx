import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/calls";
import { EMAIL_MAX } from "@marketday/domain/limits";
import { isEmail } from "@marketday/domain/text";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form, type FormProblem } from "@marketday/ui/form.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import { call } from "../../lib/api.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { AlertBox } from "./alert-box.tsx";
import { authDraft } from "./draft.ts";

import s from "./auth.module.css";

const FIELD = "forgot-email";

/**
 * Asks for a link for a new password by email (spec §5 Forgot password). Shows the same for every address. Needs no
 * router, so that the frames' logins have it too. `onBack`: to the login it came from.
 */
export default function ForgotForm({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState(authDraft.read().email);
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const [isSent, setSent] = useState(false);
  const { running, error, attempt } = useAction();

  const submit = () => {
    const missing = !isEmail(email);
    setProblems(missing ? [{ field: FIELD, message: screenMessages.forgotEmail }] : []);
    setSent(false);
    if (missing) return;
    void attempt("forgot", async () => {
      await call(calls.forgotPassword, { body: { email } });
      setSent(true);
    });
  };

  return (
    <>
      <p className={s.lead}>We'll email you a link to choose a new one.</p>
      <div className={s.form}>
        <Form onSubmit={submit} problems={problems}>
          <Field label="Email" id={FIELD} error={problems[0]?.message ?? null}>
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
