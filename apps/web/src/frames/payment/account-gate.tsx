import { useState } from "react";

import { ForgotForm } from "../../features/auth/forgot-form.tsx";
import { LoginForm } from "../../features/auth/login-form.tsx";
import { RegisterForm } from "../../features/auth/register-form.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { Account } from "./use-account.ts";

import s from "./frame-page.module.css";

interface AccountGateProps {
  account: Account;
  /** What one must log in for. */
  why: string;
}

const titles = { register: "Create your free account", login: "Login", forgot: "Forgot Password" };

/** Guests log in first (spec §2.1, §6). */
export function AccountGate({ account: { zipCode, notice, adopt }, why }: AccountGateProps) {
  const [form, setForm] = useState<"login" | "register" | "forgot">("login");
  const other = form === "login" ? "register" : "login";
  return (
    <Panel as="section" label={titles[form]}>
      <div className={s.account}>
        <h2>{form === "login" ? "Log in to continue" : titles[form]}</h2>
        {notice ? (
          <Banner tone="warning" role="status">
            {notice}
          </Banner>
        ) : (
          <p>{why}</p>
        )}
        {form === "forgot" ? (
          <ForgotForm onBack={() => setForm("login")} />
        ) : (
          <>
            <p>
              {form === "login" ? "New here? " : "Have an account? "}
              <Button kind="link" onClick={() => setForm(other)}>
                {form === "login" ? "Create a free account" : "Login"}
              </Button>
            </p>
            {form === "login" ? (
              <LoginForm onDone={adopt} onForgot={() => setForm("forgot")} />
            ) : (
              <RegisterForm zipCode={zipCode} onDone={adopt} />
            )}
          </>
        )}
      </div>
    </Panel>
  );
}
