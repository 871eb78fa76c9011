import type { OrderBox } from "@marketday/contracts/admin/orders";

import { dollars } from "./box-money.ts";
import type { BoxPaymentRow, OrderBoxRow } from "./order-box-sql.ts";

type Step = OrderBox["steps"][number];

const instant = (at: string | Date): string => new Date(at).toISOString();

/** "visa" → "Visa ending 4242", as the provider names the brand. */
const cardOf = (payment: BoxPaymentRow | undefined): string | null =>
  payment?.card && payment.provider !== "offline"
    ? `${payment.card.brand.charAt(0).toUpperCase()}${payment.card.brand.slice(1)} ending ${payment.card.last4}`
    : null;

/** The money of a box as steps: what happened by time, then what is still to come. */
export function boxSteps(row: OrderBoxRow): Step[] {
  const { orders, payments } = row;
  const step = (name: Step["step"], cents: number, at: string | Date | null, more: Partial<Step> = {}): Step[] =>
    cents > 0
      ? [
          {
            step: name,
            amount: dollars(cents),
            at: at === null ? null : instant(at),
            card: null,
            refund: null,
            ...more,
          },
        ]
      : [];
  const counted = orders.filter(({ status }) => status !== "cancelled" || row.is_cancelled);
  const paidBy = (payment: BoxPaymentRow) =>
    counted
      .filter(({ paymentId }) => paymentId === payment.id)
      .reduce((sum, o) => sum + o.totalCents - o.creditCents, 0);
  const capturedAt = (payment: BoxPaymentRow): string | null =>
    row.ledger.findLast(({ kind, paymentId }) => kind === "capture" && paymentId === payment.id)?.at ??
    payment.authorizedAt;
  const past = [
    ...counted.flatMap((order) => step("credit", order.creditCents, order.createdAt)),
    ...payments.flatMap((payment) => {
      const isOffline = payment.provider === "offline";
      const card = cardOf(payment);
      const held = payment.isShared ? paidBy(payment) : payment.amountCents;
      return [
        // What was released is held no longer: the history has both.
        ...(isOffline || payment.authorizedAt === null || payment.state === "voided"
          ? []
          : step("held", held, payment.authorizedAt, { card })),
        ...(payment.state === "captured"
          ? step(isOffline ? "collected" : "charged", payment.capturedCents, capturedAt(payment), { card })
          : []),
      ];
    }),
    ...orders.flatMap((order) => [
      ...(order.chargeFailedAt === null
        ? []
        : step("declined", order.totalCents - order.creditCents, order.chargeFailedAt)),
      ...(order.writtenOffAt === null
        ? []
        : step("written_off", order.totalCents - order.creditCents, order.writtenOffAt)),
    ]),
    ...row.refunds.flatMap(({ to, state, amountCents, at, paymentId }) =>
      step("refund", amountCents, at, {
        card: to === "card" ? cardOf(payments.find(({ id }) => id === paymentId)) : null,
        refund: { to: to === "card" ? "card" : "credit", state },
      }),
    ),
  ];
  const isOpen = orders.some(({ status }) => status === "open" || status === "future");
  return [
    ...past.toSorted((a, b) => (a.at ?? "").localeCompare(b.at ?? "")),
    ...step("to_charge", row.to_charge_cents, isOpen ? row.cutoff_at : null),
    ...step("due", row.due_cents, null),
  ];
}
