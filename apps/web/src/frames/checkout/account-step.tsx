import { Banner } from "@marketday/ui/banner.tsx";
import { useState } from "react";

import { type AccountForm, AccountForms, accountFormTitles } from "../shell/account-forms.tsx";
import type { Account } from "../shell/use-account.ts";
import { Step } from "./step.tsx";

import s from "./account-step.module.css";

/** First for guests: buying needs an account (docs/product.md §15). The cart and what was typed are kept. */
export function AccountStep({ account: { zipCode, notice, adopt } }: { account: Account }) {
  const [form, setForm] = useState<AccountForm>(notice ? "login" : "register");
  return (
    <>
      <Step number={1} title={accountFormTitles[form]} state="open" focuses={false}>
        <div className={s.account}>
          {notice && (
            <Banner tone="warning" role="status">
              {notice}
            </Banner>
          )}
          <AccountForms form={form} onForm={setForm} zipCode={zipCode} onDone={adopt} leadClass={s.lead} />
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
