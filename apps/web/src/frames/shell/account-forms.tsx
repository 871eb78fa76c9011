import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { Customer } from "@marketday/contracts/account";
import { Button } from "@marketday/ui/button.tsx";

// For guests alone: who is signed in does not wait for them.
const ForgotForm = lazyWithRetry(() => import("../../features/auth/forgot-form.tsx"));
const LoginForm = lazyWithRetry(() => import("../../features/auth/login-form.tsx"));
const RegisterForm = lazyWithRetry(() => import("../../features/auth/register-form.tsx"));

export const accountFormTitles = { register: "Create your free account", login: "Login", forgot: "Forgot Password" };
export type AccountForm = keyof typeof accountFormTitles;

interface AccountFormsProps {
  form: AccountForm;
  onForm: (form: AccountForm) => void;
  zipCode: string | null;
  /** Logged in or registered. */
  onDone: (customer: Customer) => Promise<void>;
  /** Of the line above the form. */
  leadClass?: string | undefined;
}

/** Login, with the ways to the other two forms. */
export const AccountForms = ({ form, onForm, zipCode, onDone, leadClass }: AccountFormsProps) => (
  <AsyncBoundary failed="This form didn’t load.">
    {form === "forgot" ? (
      <ForgotForm onBack={() => onForm("login")} />
    ) : (
      <>
        <p className={leadClass}>
          {form === "login" ? "New here? " : "Have an account? "}
          <Button kind="link" onClick={() => onForm(form === "login" ? "register" : "login")}>
            {form === "login" ? "Create a free account" : "Login"}
          </Button>
        </p>
        {form === "login" ? (
          <LoginForm onDone={onDone} onForgot={() => onForm("forgot")} />
        ) : (
          <RegisterForm isBrief zipCode={zipCode} onDone={onDone} />
        )}
      </>
    )}
  </AsyncBoundary>
);
