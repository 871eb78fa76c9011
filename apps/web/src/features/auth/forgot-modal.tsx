import * as calls from "@marketday/contracts/calls";
import { EMAIL_MAX } from "@marketday/domain/limits";
import { useState } from "react";

import type { Modal } from "../../app/layers.ts";
import type { ModalProps } from "../../app/modals.tsx";
import { useLayers } from "../../app/use-layers.ts";
import { call } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { useAttempt } from "../../lib/use-attempt.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { DialogBody, DialogTitle } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormProblem } from "../../ui/form.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { AlertBox } from "./alert-box.tsx";
import { authDraft } from "./draft.ts";
import { onward } from "./finish.ts";
import { wordingOf } from "./wording.ts";

import s from "./auth.module.css";

const FIELD = "forgot-email";

/** A link for a new password, by mail (spec §5 Forgot password). Says the same for every address. */
export default function ForgotModal({ modal }: ModalProps<Extract<Modal, { kind: "forgot" }>>) {
  const { insteadOpenModal } = useLayers();
  const [email, setEmail] = useState(authDraft.read().email);
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const [isSent, setSent] = useState(false);
  const { running, error, attempt } = useAttempt();

  const submit = () => {
    const missing = !/^\S+@\S+$/.test(email.trim());
    setProblems(missing ? [{ field: FIELD, message: messages.forgotEmail }] : []);
    setSent(false);
    if (missing) return;
    void attempt(
      "forgot",
      async () => {
        await call(calls.forgotPassword, { body: { email: email.trim() } });
        setSent(true);
      },
      wordingOf,
    );
  };

  return (
    <DialogBody>
      <div className={s.auth}>
        <DialogTitle>Forgot Password</DialogTitle>
        <p className={s.lead}>We mail you a link that lets you choose a new one.</p>
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
            <Banner tone="other" role="status" title={messages.checkEmail}>
              The link works once, within the next hour.
            </Banner>
          )}
          {error && <AlertBox>{error}</AlertBox>}
        </div>
        <p className={s.other}>
          <Button kind="link" onClick={() => insteadOpenModal({ kind: "login", ...onward(modal.unfinished) })}>
            Back to Login
          </Button>
        </p>
      </div>
    </DialogBody>
  );
}
