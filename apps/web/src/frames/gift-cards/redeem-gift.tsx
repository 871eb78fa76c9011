import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { useState } from "react";

import { call } from "../../lib/api.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormProblem } from "../../ui/form.tsx";
import { formatMoney } from "../../ui/money.ts";
import { TextInput } from "../../ui/text-input.tsx";
import { useCall } from "../payment/use-call.ts";

import s from "./gift-cards.module.css";

const CODE = "gift-code";

/** A code into store credit, once. */
export function RedeemGift({ credit, onRedeemed }: { credit: number; onRedeemed: (customer: Customer) => void }) {
  const [code, setCode] = useState("");
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const [added, setAdded] = useState<number | null>(null);
  const { running, error, run } = useCall();
  const submit = async () => {
    const found = code.trim() === "" ? [{ field: CODE, message: "Enter the code of your gift card" }] : [];
    setProblems(found);
    setAdded(null);
    if (found.length > 0) return;
    const customer = await run("redeem", code, () => call(calls.redeemGiftCard, { body: { code: code.trim() } }));
    if (!customer) return;
    setAdded(Math.round((customer.credit - credit) * 100) / 100);
    setCode("");
    onRedeemed(customer);
  };
  return (
    <Form onSubmit={() => void submit()} problems={problems}>
      <div className={s.form}>
        {added !== null && (
          <Banner tone="other" role="status" title={`${formatMoney(added)} added to your store credit`} />
        )}
        {error && (
          <Banner tone="error" role="alert">
            {error}
          </Banner>
        )}
        <Field
          label="Gift card code"
          hint="Four groups of four, as in the email"
          id={CODE}
          error={problems[0]?.message ?? null}
        >
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
