import { Banner } from "@marketday/ui/banner.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { useState } from "react";

import { type AccountForm, AccountForms, accountFormTitles } from "./account-forms.tsx";
import type { Account } from "./use-account.ts";

import s from "./frame-page.module.css";

interface AccountGateProps {
  account: Account;
  /** What one must log in for. */
  why: string;
}

/** Guests log in first (spec §2.1, §6). */
export function AccountGate({ account: { zipCode, notice, adopt }, why }: AccountGateProps) {
  const [form, setForm] = useState<AccountForm>("login");
  return (
    <Panel as="section" label={accountFormTitles[form]}>
      <div className={s.account}>
        <h2>{form === "login" ? "Log in to continue" : accountFormTitles[form]}</h2>
        {notice ? (
          <Banner tone="warning" role="status">
            {notice}
          </Banner>
        ) : (
          <p>{why}</p>
        )}
        <AccountForms form={form} onForm={setForm} zipCode={zipCode} onDone={adopt} />
      </div>
    </Panel>
  );
}
