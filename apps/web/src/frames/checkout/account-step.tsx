import type { Customer } from "@marketday/contracts/account";
import { lazy, Suspense, useState } from "react";

import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { postLoggedIn } from "../host.ts";
import { Step } from "./step.tsx";

import s from "./account-step.module.css";

interface AccountStepProps {
  zipCode: string | null;
  notice: string | null;
  onDone: (customer: Customer) => Promise<void>;
}

// For guests alone: who is signed in does not wait for them.
const ForgotForm = lazy(async () => ({ default: (await import("../../features/auth/forgot-form.tsx")).ForgotForm }));
const LoginForm = lazy(async () => ({ default: (await import("../../features/auth/login-form.tsx")).LoginForm }));
const RegisterForm = lazy(async () => ({
  default: (await import("../../features/auth/register-form.tsx")).RegisterForm,
}));

const titles = { register: "Create your free account", login: "Login", forgot: "Forgot Password" };

/** First for guests: buying needs an account (docs/product.md §15). The cart and what was typed are kept. */
export function AccountStep({ zipCode, notice, onDone }: AccountStepProps) {
  const [form, setForm] = useState<"register" | "login" | "forgot">(notice ? "login" : "register");
  const done = async (customer: Customer) => {
    postLoggedIn();
    await onDone(customer);
  };
  return (
    <>
      <Step number={1} title={titles[form]} state="open" focuses={false}>
        <div className={s.account}>
          {notice && (
            <Banner tone="warning" role="status">
              {notice}
            </Banner>
          )}
          <Suspense fallback={null}>
            {form === "forgot" ? (
              <ForgotForm onBack={() => setForm("login")} />
            ) : (
              <>
                <p className={s.lead}>
                  {form === "login" ? "New here? " : "Have an account? "}
                  <Button kind="link" onClick={() => setForm(form === "login" ? "register" : "login")}>
                    {form === "login" ? "Create a free account" : "Login"}
                  </Button>
                </p>
                {form === "login" ? (
                  <LoginForm onDone={done} onForgot={() => setForm("forgot")} />
                ) : (
                  <RegisterForm zipCode={zipCode} onDone={done} />
                )}
              </>
            )}
          </Suspense>
        </div>
      </Step>
      {["Delivery or pickup", "Tip and notes", "Payment"].map((title, place) => (
        <Step key={title} number={place + 2} title={title} state="ahead" focuses={false}>
          {null}
        </Step>
      ))}
    </>
  );
}
