import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import * as t from "#messages/orders";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { useStepUp } from "../session/step-up.tsx";
import { formKeys } from "../shell/form-keys.ts";
import { cancelPlanQuery, currentBox, isUnknown, orderQuery, type RefundTo } from "./api.ts";
import { effectOf } from "./effect.ts";
import { Heading } from "./section.tsx";

import s from "./orders.module.css";

interface Values {
  reason: string;
  refundTo: RefundTo;
}
const none: Values = { reason: "", refundTo: "card" };
const ids = controlIds("order-cancel", none);

/** Cancels a box for a reason, with what that does in money and emails before it is done. What is typed stays until it is sent. */
export function CancelForm({ order, onClose }: { order: OrderBox; onClose: () => void }) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const { values, put, clear } = useFormDraft<Values>(`cancel-${order.id}`, none);
  const plan = useQuery(cancelPlanQuery(order, values.refundTo));
  // The box that another person has changed meanwhile, as it was then.
  const [theirs, setTheirs] = useState<OrderBox | null>(null);
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { reason: values.reason.trim() === "" && t.reasonMissing }),
  });
  useEffect(() => document.getElementById(ids.reason)?.focus(), []);
  // What it does is on the screen before it can be done.
  const isPlanned = plan.data !== undefined;
  const isOver = !order.can.cancel || plan.data?.orderIds.length === 0;
  const { queryKey } = orderQuery(String(order.id));

  const cancel = async () => {
    const sent = {
      params: { id: order.id },
      body: { reason: values.reason.trim(), refundTo: values.refundTo, expectedVersion: order.version },
    };
    try {
      const back = formatMoney((plan.data?.back ?? 0) + (plan.data?.credit ?? 0));
      const action = await withStepUp(
        { title: t.cancelTitle, effect: t.cancelEffect(back), action: t.doCancel },
        (idempotencyKey) => call(calls.cancelOrder, sent, { idempotencyKey }),
        sent,
      );
      // Not confirmed: what was typed stays.
      if (!action) return;
      cacheAction(client, action);
      cacheAnswer<OrderBox>(client, queryKey, (box) => box && { ...box, held: [action, ...box.held] });
      clear();
      announce(t.cancelHeld);
      onClose();
    } catch (cause) {
      const current = currentBox(cause);
      if (current) {
        cacheAnswer(client, queryKey, current);
        setTheirs(current);
        return;
      }
      void client.invalidateQueries({ queryKey, exact: true });
      throw cause;
    } finally {
      void rereadActions(client);
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={s.cancel} aria-labelledby="order-cancel-title" onKeyDown={formKeys(onClose)}>
      <Heading id="order-cancel-title">{t.cancelTitle}</Heading>
      <Form
        problems={problems}
        onSubmit={() => {
          if (!isOver && isPlanned)
            void submit(cancel, (cause) => (isUnknown(cause) ? t.cancelUnknown : messageOf(cause)));
        }}
      >
        <p className={s.effect} aria-live="polite">
          <Effect plan={plan} refundTo={values.refundTo} isOver={isOver} />
        </p>
        <Compact>
          <Field label={t.reason} hint={t.reasonHint} {...field("reason")}>
            <TextInput
              autoComplete="off"
              maxLength={500}
              value={values.reason}
              onChange={({ target }) => put({ reason: target.value })}
            />
          </Field>
        </Compact>
        {(values.refundTo === "credit" || (plan.data?.back ?? 0) > 0) && (
          <RadioChips
            legend={t.refundTo}
            chips={[
              { value: "card", label: t.toCard },
              { value: "credit", label: t.toCredit },
            ]}
            value={values.refundTo}
            onChange={(refundTo) => put({ refundTo })}
          />
        )}
        {theirs && (
          <div role="alert">
            <Banner tone="information">
              {t.cancelConflict(formatMoney(theirs.total), t.statuses[theirs.status].toLowerCase())}
            </Banner>
          </div>
        )}
        {error && <AlertBox key={error}>{error}</AlertBox>}
        <div className={s.buttons}>
          <Compact>
            <Button type="submit" kind="danger" disabled={isOver || !isPlanned} busy={running !== null && t.cancelling}>
              {t.doCancel}
            </Button>
            <Button kind="outline" onClick={onClose}>
              {t.keepOrder}
            </Button>
          </Compact>
        </div>
      </Form>
    </section>
  );
}

interface EffectProps {
  plan: Pick<ReturnType<typeof useQuery<Parameters<typeof effectOf>[0]>>, "data" | "error" | "refetch">;
  refundTo: RefundTo;
  isOver: boolean;
}

function Effect({ plan: { data, error, refetch }, refundTo, isOver }: EffectProps) {
  if (isOver) return t.nothingToCancel;
  if (data) return effectOf(data, refundTo);
  if (!error) return t.planning;
  return (
    <>
      {`${t.planFailed} ${messageOf(error)}`}
      <Compact size="sm">
        <Button kind="outline" onClick={() => void refetch()}>
          {t.tryAgain}
        </Button>
      </Compact>
    </>
  );
}
