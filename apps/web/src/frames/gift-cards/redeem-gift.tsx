import { problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { subtractDollars } from "@marketday/domain/money";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import { call } from "../../lib/api.ts";

import s from "./gift-cards.module.css";

const ids = { code: "gift-code" };

/** A code into store credit, once. */
export function RedeemGift({ credit, onRedeemed }: { credit: number; onRedeemed: (customer: Customer) => void }) {
  const [code, setCode] = useState("");
  const [added, setAdded] = useState<number | null>(null);
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { code: code.trim() === "" && "Enter the code of your gift card" }),
  });
  const redeem = async () => {
    setAdded(null);
    const customer = await submit(() => call(calls.redeemGiftCard, { body: { code: code.trim() } }));
    if (!customer) return;
    setAdded(subtractDollars(customer.credit, credit));
    setCode("");
    onRedeemed(customer);
  };
  return (
    <Form onSubmit={() => void redeem()} problems={problems}>
      <div className={s.form}>
        {added !== null && (
          <Banner tone="other" role="status" title={`${formatMoney(added)} added to your store credit`} />
        )}
        {error && (
          <Banner tone="error" role="alert">
            {error}
          </Banner>
        )}
        <Field label="Gift card code" hint="Four groups of four, as in the email" {...field("code")}>
          <TextInput
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={50}
            placeholder="XXXX-XXXX-XXXX-XXXX"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
        <Button type="submit" size="lg" busy={running !== null && "Checking…"}>
          Redeem
        </Button>
      </div>
    </Form>
  );
}
