import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { useSettled } from "@marketday/client/use-settled.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import * as t from "#messages/orders";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { formatOrderNumber } from "../../lib/order-number.ts";
import { isUnknown, type RefundTo, refundPlanQuery } from "./api.ts";
import { parseAmount } from "./parse-amount.ts";
import { useVerb } from "./use-verb.ts";
import { planProblem, PlannedLedger, VerbForm } from "./verb-form.tsx";

import s from "./orders.module.css";

interface Values {
  orderId: number;
  amount: string;
  to: RefundTo;
  /** Slug of a vendor; "": the market. */
  bearer: string;
  reason: string;
}

/** Time without a key after which the plan is requested (ms). */
const SETTLED_MS = 300;

/** Gives a part of an order back, with the ledger lines before it is sent. What is typed stays until then. */
export function RefundForm({ order, onClose }: { order: OrderBox; onClose: () => void }) {
  const none: Values = { orderId: order.id, amount: "", to: "card", bearer: "", reason: "" };
  const ids = controlIds("order-refund", none);
  const { values, put, clear } = useFormDraft<Values>(`refund-${order.id}`, none);
  const amount = parseAmount(values.amount);
  const settled = useSettled(amount, SETTLED_MS);
  const plan = useQuery({
    ...refundPlanQuery(order, { ...values, amount: settled ?? 0, bearer: values.bearer || null }),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const verb = useVerb(order, () => {
    clear();
    onClose();
  });
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      amount: amount === null && t.amountMissing,
      reason: values.reason.trim() === "" && t.reasonMissing,
    }),
  });
  useEffect(() => document.getElementById("order-refund-amount")?.focus(), []);
  const vendors = [
    ...new Map(
      order.lines
        .filter((line) => line.orderId === values.orderId && line.quantity > 0)
        .map(({ vendor }) => [vendor.slug, vendor.name]),
    ),
  ];
  const shown = formatMoney(amount ?? 0);
  const isSettled = settled === amount && !plan.isPlaceholderData;
  const refused = amount !== null && isSettled ? planProblem(plan.error) : null;
  const send = () => {
    const body = {
      amount: amount!,
      to: values.to,
      bearer: values.bearer || null,
      reason: values.reason.trim(),
      expectedVersion: order.version,
    };
    const sent = { params: { id: values.orderId }, body };
    const name = order.customer?.name ?? "";
    return verb.send(
      sent,
      { title: t.refundTitleOf(shown), effect: t.refundEffect(shown, name), action: t.verbRefund },
      (idempotencyKey) => call(calls.refundOrder, sent, { idempotencyKey }),
    );
  };
  return (
    <VerbForm
      id="order-refund-title"
      title={t.refundTitle}
      problems={problems}
      error={error}
      isChanged={verb.isChanged}
      submitLabel={amount === null ? t.verbRefund : t.refundAmount(shown)}
      busy={running !== null && t.holding}
      onClose={onClose}
      onSubmit={() => void submit(send, (cause) => (isUnknown(cause) ? t.verbUnknown : messageOf(cause)))}
    >
      {order.orderIds.length > 1 && (
        <RadioChips
          legend={t.ofWhichOrder}
          chips={order.orderIds.map((value) => ({ value, label: formatOrderNumber(value) }))}
          value={values.orderId}
          onChange={(orderId) => put({ orderId, bearer: "" })}
        />
      )}
      <Compact>
        <div className={s.pair}>
          <Field label={t.amount} hint={t.amountHint} {...field("amount")} error={field("amount").error ?? refused}>
            <TextInput
              autoComplete="off"
              inputMode="decimal"
              maxLength={12}
              value={values.amount}
              onChange={({ target }) => put({ amount: target.value })}
            />
          </Field>
          <Field label={t.reason} hint={t.refundReasonHint} {...field("reason")}>
            <TextInput
              autoComplete="off"
              maxLength={500}
              value={values.reason}
              onChange={({ target }) => put({ reason: target.value })}
            />
          </Field>
        </div>
      </Compact>
      <RadioChips
        legend={t.refundTo}
        chips={[
          { value: "card", label: t.toCard },
          { value: "credit", label: t.toCredit },
        ]}
        value={values.to}
        onChange={(to) => put({ to })}
      />
      <RadioChips
        legend={t.whoPays}
        chips={[{ value: "", label: t.marketPays }, ...vendors.map(([value, label]) => ({ value, label }))]}
        value={values.bearer}
        onChange={(bearer) => put({ bearer })}
      />
      {amount !== null && refused === null && plan.data && (
        <PlannedLedger ledger={plan.data.ledger} isOld={!isSettled} />
      )}
    </VerbForm>
  );
}
