import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { useSettled } from "@marketday/client/use-settled.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { Select, TextInput } from "@marketday/ui/text-input.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import * as t from "#messages/orders";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { paths } from "../../lib/paths.ts";
import { isUnknown, type RefundTo, shortPlanQuery } from "./api.ts";
import { parseCount } from "./parse-amount.ts";
import { useVerb } from "./use-verb.ts";
import { planProblem, PlannedLedger, VerbForm } from "./verb-form.tsx";

import s from "./orders.module.css";

interface Values {
  /** "397120862 1234": order and variant. */
  line: string;
  came: string;
  to: RefundTo;
  bearer: "vendor" | "market";
  reason: string;
}
const none: Values = { line: "", came: "", to: "credit", bearer: "vendor", reason: "" };
const ids = controlIds("order-short", none);
const SETTLED_MS = 300;

const keyOf = ({ orderId, variantId }: OrderBox["lines"][number]) => `${orderId} ${variantId}`;

/** The lines of a box that can be short, one an order and item: two lines of an item are one. */
function shortable({ lines }: OrderBox) {
  const found = new Map<string, OrderBox["lines"][number]>();
  for (const line of lines) {
    if (line.quantity === 0) continue;
    const before = found.get(keyOf(line));
    found.set(keyOf(line), before ? { ...before, quantity: before.quantity + line.quantity } : line);
  }
  return [...found.values()];
}

/** Takes units of one line off that did not come, with the ledger lines before it is recorded. */
export function ShortForm({ order, onClose }: { order: OrderBox; onClose: () => void }) {
  const { values, put, clear } = useFormDraft<Values>(`short-${order.id}`, none);
  const lines = shortable(order);
  const line = lines.find((each) => keyOf(each) === values.line) ?? (lines.length === 1 ? lines[0] : undefined);
  const came = parseCount(values.came);
  const isShort = line !== undefined && came !== null && came < line.quantity;
  const settled = useSettled(came, SETTLED_MS);
  const request = {
    variantId: line?.variantId ?? 0,
    came: settled ?? 0,
    of: line?.quantity ?? 1,
    to: values.to,
    bearer: values.bearer,
  };
  const plan = useQuery({
    ...shortPlanQuery(order, line?.orderId ?? order.id, request),
    enabled: isShort && settled === came,
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
      line: line === undefined && t.lineMissing,
      came: line !== undefined && !isShort && t.cameWrong(line.quantity),
    }),
  });
  useEffect(() => document.getElementById(ids.line)?.focus(), []);
  const isSettled = settled === came && !plan.isPlaceholderData;
  const refused = isShort && isSettled ? planProblem(plan.error) : null;
  const data = isShort && refused === null ? plan.data : undefined;
  const send = () => {
    const body = {
      ...request,
      came: came!,
      reason: values.reason.trim(),
      expectedVersion: order.version,
    };
    const sent = { params: { id: line!.orderId }, body };
    const subject = { title: t.shortTitle, effect: t.shortHint, action: t.verbShort };
    return verb.send(sent, subject, (idempotencyKey) => call(calls.shortLine, sent, { idempotencyKey }));
  };
  return (
    <VerbForm
      id="order-short-title"
      title={t.shortTitle}
      problems={problems}
      error={error}
      isChanged={verb.isChanged}
      submitLabel={data && isSettled ? t.shortAmount(data.units, formatMoney(data.back)) : t.verbShort}
      busy={running !== null && t.holding}
      onClose={onClose}
      onSubmit={() => void submit(send, (cause) => (isUnknown(cause) ? t.verbUnknown : messageOf(cause)))}
    >
      <p className={s.quiet}>
        {t.shortHint} <Link to={paths.shorts(order.hub.slug, order.day)}>{t.toShorts}</Link>
      </p>
      <Compact>
        <div className={s.pair}>
          <Field label={t.shortLine} hint={t.shortLineHint} {...field("line")}>
            <Select value={line ? keyOf(line) : ""} onChange={({ target }) => put({ line: target.value })}>
              <option value="">{t.chooseLine}</option>
              {lines.map((each) => (
                <option key={keyOf(each)} value={keyOf(each)}>
                  {t.lineOption(each.quantity, each.title, each.vendor.name)}
                </option>
              ))}
            </Select>
          </Field>
          <Field
            label={t.came}
            hint={t.cameHint(line?.quantity ?? null)}
            {...field("came")}
            error={field("came").error ?? refused}
          >
            <TextInput
              autoComplete="off"
              inputMode="numeric"
              maxLength={3}
              value={values.came}
              onChange={({ target }) => put({ came: target.value })}
            />
          </Field>
        </div>
        <Field label={t.reason} hint={t.shortReasonHint} {...field("reason")}>
          <TextInput
            autoComplete="off"
            maxLength={500}
            value={values.reason}
            onChange={({ target }) => put({ reason: target.value })}
          />
        </Field>
      </Compact>
      <RadioChips
        legend={t.refundTo}
        chips={[
          { value: "credit", label: t.toCredit },
          { value: "card", label: t.toCard },
        ]}
        value={values.to}
        onChange={(to) => put({ to })}
      />
      <RadioChips
        legend={t.whoPays}
        chips={[
          { value: "vendor", label: line?.vendor.name ?? t.vendorPays },
          { value: "market", label: t.marketPays },
        ]}
        value={values.bearer}
        onChange={(bearer) => put({ bearer })}
      />
      {data && <PlannedLedger ledger={data.ledger} isOld={!isSettled} />}
    </VerbForm>
  );
}
