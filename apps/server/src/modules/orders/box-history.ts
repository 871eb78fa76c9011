import type { OrderBox } from "@marketday/contracts/admin/orders";

import { dollars } from "./box-money.ts";
import type { BoxOrderRow, OrderBoxRow } from "./order-box-sql.ts";

type BoxEvent = OrderBox["history"][number];

/** What the audit log has already, with who did it and why: the same instant is the same change. */
const AUDITED: Record<string, readonly string[]> = {
  collected: ["orders paid"],
  written_off: ["orders write-off"],
  refund: ["orders refund", "orders cancel", "orders short", "days close"],
  cancelled: ["orders cancel", "days close"],
  delivered: ["orders deliver"],
};
/** Steps that are no event of their own: what pays an order was there when it was placed. */
const NO_EVENT: ReadonlySet<string> = new Set(["credit", "due", "to_charge"]);

const event = (given: Pick<BoxEvent, "at" | "kind" | "what"> & Partial<BoxEvent>): BoxEvent => ({
  who: null,
  name: null,
  why: "",
  items: [],
  amount: null,
  mailId: null,
  sentAt: null,
  ...given,
  at: new Date(given.at).toISOString(),
});

/** An order that its customer emptied. */
const isDeleted = ({ status, editedAt }: BoxOrderRow): boolean => status === "cancelled" && editedAt !== null;

function orderEvents(order: BoxOrderRow, isFirst: boolean, customer: string | null): BoxEvent[] {
  const at = (what: string, instant: string | null, who: string | null = null): BoxEvent[] =>
    instant === null ? [] : [event({ at: instant, kind: "order", what, who })];
  return [
    ...at(isFirst ? "placed" : "added", order.createdAt, order.source === "auto" ? "system:auto-checkout" : customer),
    ...(isDeleted(order) ? at("deleted", order.editedAt, customer) : at("cancelled", order.cancelledAt)),
    ...at("delivered", order.closedAt, "system:week"),
  ];
}

/** The customer's edits: bookings of edits that the audit log does not explain. Of an order that was emptied, that is the event. */
function editEvents({ ledger, audit, orders }: OrderBoxRow, customer: string | null): BoxEvent[] {
  const explained = new Set([
    ...audit.map(({ at }) => Date.parse(at)),
    ...orders.filter(isDeleted).map(({ editedAt }) => Date.parse(editedAt!)),
  ]);
  const edits = new Set(ledger.filter(({ kind }) => kind === "edit").map(({ at }) => Date.parse(at)));
  return [...edits]
    .filter((at) => !explained.has(at))
    .map((at) => event({ at: new Date(at).toISOString(), kind: "order", what: "edited", who: customer }));
}

/** Holds on a card that were released when their order was cancelled. */
const releases = ({ payments, orders }: OrderBoxRow): BoxEvent[] =>
  payments
    .filter(({ provider, state }) => provider !== "offline" && state === "voided")
    .flatMap(({ id, authorizedAt, amountCents }) => {
      const ended = orders.find(({ paymentId, status }) => paymentId === id && status === "cancelled");
      const at = (what: string, instant: string | null | undefined): BoxEvent[] =>
        instant ? [event({ at: instant, kind: "money", what, amount: dollars(amountCents) })] : [];
      return [...at("held", authorizedAt), ...at("released", ended?.cancelledAt ?? ended?.editedAt)];
    });

/** The history of a box, newest first: the audit log, its mails, its money and its orders. A mail that was sent can be sent again. */
export function boxHistory(row: OrderBoxRow, steps: OrderBox["steps"]): BoxEvent[] {
  const customer = row.customer_id === null ? null : `customer:${row.customer_id}`;
  const hasAddress = row.customer !== null && row.customer.email !== "";
  const unaudited = [
    ...row.orders.flatMap((order) => orderEvents(order, order.id === row.id, customer)),
    ...editEvents(row, customer),
    ...releases(row),
    ...(row.frozen_at === null
      ? []
      : [event({ at: row.frozen_at.toISOString(), kind: "order", what: "frozen", who: "system:week" })]),
    ...steps.flatMap(({ step, at, amount }) =>
      at === null || NO_EVENT.has(step) ? [] : [event({ at, kind: "money", what: step, amount })],
    ),
  ].filter(
    ({ what, at }) =>
      !row.audit.some(
        ({ action, at: when }) => AUDITED[what]?.includes(action) === true && Date.parse(when) === Date.parse(at),
      ),
  );
  const audited = row.audit.map(({ at, action, who, name, why, items, cents }) =>
    event({
      at,
      kind: "audit",
      what: action,
      who,
      name,
      why,
      items,
      amount: cents === null || !Number.isSafeInteger(cents) ? null : dollars(cents),
    }),
  );
  const mailed = row.mails.map((mail) =>
    event({
      at: mail.at,
      kind: "mail",
      what: mail.template,
      mailId: hasAddress && canResend(mail) ? mail.id : null,
      sentAt: mail.sentAt === null ? null : new Date(mail.sentAt).toISOString(),
    }),
  );
  // Of one instant: what was ordered, its money, what a person did, then the mail about it; the newest is first.
  return [...unaudited, ...audited, ...mailed].toReversed().toSorted((a, b) => b.at.localeCompare(a.at));
}

/** Whether a mail can be sent again, as `holdResend` decides: it was sent, and had no code that works once. */
const canResend = ({ sentAt, isSecret }: OrderBoxRow["mails"][number]): boolean => sentAt !== null && !isSecret;
