import { useAction } from "@marketday/client/forms/use-action.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import type { Customer } from "@marketday/contracts/account";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { PasswordInput, TextInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import { AlertBox } from "./alert-box.tsx";
import { login } from "./api.ts";
import { authDraft } from "./draft.ts";
import { afterLogin } from "./wording.ts";

import s from "./auth.module.css";

interface AuthFormProps {
  /** With the account's customer; what it does belongs to the same "busy". */
  onDone: (customer: Customer) => Promise<void> | void;
  /** The other form. */
  onOther?: () => void;
  /** A password was forgotten. */
  onForgot?: () => void;
}

/** Spec §2.4 Login: both fields needed, Enter submits, the red box under the form, nothing typed is lost. */
export default function LoginForm({ onDone, onOther, onForgot }: AuthFormProps) {
  const [email, setEmail] = useState(authDraft.read().email);
  const [password, setPassword] = useState("");
  const { running, error, attempt } = useAction();
  useUnsaved(password !== "");
  const ready = email.trim() !== "" && password !== "";

  const submit = () => {
    if (!ready) return;
    void attempt("login", async () => {
      const customer = await login({ email, password });
      authDraft.forget();
      await afterLogin(() => onDone(customer));
    });
  };

  return (
    <div className={s.form}>
      <Form onSubmit={submit}>
        <Field label="Email">
          <TextInput
            data-autofocus=""
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="next"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              authDraft.keep({ email: event.target.value });
            }}
          />
        </Field>
        <Field
          label="Password"
          {...(onForgot && {
            aside: (
              <Button kind="link" onClick={onForgot}>
                Forgot Password
              </Button>
            ),
          })}
        >
          <PasswordInput
            autoComplete="current-password"
            enterKeyHint="go"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        <Button type="submit" size="lg" wide disabled={!ready} busy={running !== null && "Signing in…"}>
          Login to My Account
        </Button>
      </Form>
      {error && <AlertBox>{error}</AlertBox>}
      {onOther && (
        <p className={s.other}>
          New here?{" "}
          <Button kind="link" onClick={onOther}>
            Create a free account
          </Button>
        </p>
      )}
    </div>
  );
}
