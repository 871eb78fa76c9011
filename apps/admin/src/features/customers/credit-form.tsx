import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import * as t from "#messages/customers";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { isUnknown } from "../orders/api.ts";
import { formatEntry } from "../orders/ledger-table.tsx";
import { AlertBox } from "../session/alert-box.tsx";
import { useStepUp } from "../session/step-up.tsx";
import { type Customer, rereadCustomer } from "./api.ts";
import { amountProblem, parseDollars } from "./credit-form-values.ts";
import { nameOf } from "./format.ts";
import { PanelForm } from "./panel-form.tsx";

import s from "./customers.module.css";

interface Values {
  amount: string;
  reason: string;
}
const none: Values = { amount: "", reason: "" };
const ids = controlIds("customer-credit-form", none);

/** Gives store credit, with what it writes in the ledger before it is given. What is typed stays until it is sent. */
export function CreditForm({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const { values, put, clear } = useFormDraft<Values>(`credit-${customer.id}`, none);
  const { grantLimit } = customer.can;
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      amount: amountProblem(values.amount, grantLimit),
      reason: values.reason.trim() === "" && t.reasonMissing,
    }),
  });
  useEffect(() => document.getElementById(ids.amount)?.focus(), []);
  const amount = amountProblem(values.amount, grantLimit) === null ? parseDollars(values.amount) : null;

  const give = async () => {
    if (amount === null) return;
    const name = nameOf(customer.name);
    const dollars = formatMoney(amount);
    const sent = { params: { id: customer.id }, body: { amount, reason: values.reason.trim() } };
    try {
      const action = await withStepUp(
        { title: t.giveSubject(dollars, name), effect: t.giveEffect(dollars, name), action: t.give(dollars) },
        (idempotencyKey) => call(calls.grantCredit, sent, { idempotencyKey }),
        sent,
      );
      // Not confirmed: what was typed stays.
      if (!action) return;
      cacheAction(client, action);
      clear();
      onClose();
    } finally {
      rereadCustomer(client, customer.id);
      void rereadActions(client);
    }
  };
  return (
    <PanelForm id="customer-credit-title" title={t.creditForm} onClose={onClose}>
      <Form
        problems={problems}
        onSubmit={() => void submit(give, (cause) => (isUnknown(cause) ? t.unknown : messageOf(cause)))}
      >
        <div className={s.fields}>
          <Compact>
            <Field
              label={t.creditAmount}
              hint={t.creditAmountHint(grantLimit === null ? null : formatMoney(grantLimit))}
              {...field("amount")}
            >
              <TextInput
                inputMode="decimal"
                autoComplete="off"
                maxLength={20}
                value={values.amount}
                onChange={({ target }) => put({ amount: target.value })}
              />
            </Field>
            <Field label={t.reason} hint={t.creditReasonHint} {...field("reason")}>
              <TextInput
                autoComplete="off"
                maxLength={500}
                value={values.reason}
                onChange={({ target }) => put({ reason: target.value })}
              />
            </Field>
          </Compact>
        </div>
        {amount !== null && <Entries amount={amount} credit={customer.credit} />}
        {error && <AlertBox key={error}>{error}</AlertBox>}
        <div className={s.buttons}>
          <Compact>
            <Button type="submit" busy={running !== null && t.giving}>
              {t.give(amount === null ? null : formatMoney(amount))}
            </Button>
            <Button kind="outline" onClick={onClose}>
              {t.cancel}
            </Button>
          </Compact>
        </div>
      </Form>
    </PanelForm>
  );
}

const addDollars = (one: number, other: number): number => (Math.round(one * 100) + Math.round(other * 100)) / 100;

/** The two entries of the ledger, which sum to zero, and the credit after them. */
const Entries = ({ amount, credit }: { amount: number; credit: number }) => (
  <div className={s.effect}>
    <dl className={s.entries} aria-label={t.willWrite}>
      <div>
        <dt>{t.bookStoreCredit}</dt>
        <dd>{formatEntry(amount)}</dd>
      </div>
      <div>
        <dt>{t.bookPromotions}</dt>
        <dd>{formatEntry(-amount)}</dd>
      </div>
    </dl>
    <p>{t.balanceAfter(formatMoney(credit), formatMoney(addDollars(credit, amount)))}</p>
  </div>
);
