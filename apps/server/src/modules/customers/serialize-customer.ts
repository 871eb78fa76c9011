import type { Customer } from "@marketday/contracts/admin/customers";
import { dateInZone } from "@marketday/domain/calendar-date";
import { cents, toDollars } from "@marketday/domain/money";
import { can, giveLimitCents } from "@marketday/domain/staff";

import type { StaffActor } from "../identity/context.ts";
import { nextDate } from "../subscriptions/serialize.ts";
import { AUTO_CHECKOUT_NAMES } from "./auto-checkout-names.ts";
import type { CustomerRow } from "./customer-sql.ts";

const dollars = (amount: number): number => toDollars(cents(amount));
const instant = (at: string): string => new Date(at).toISOString();

const STATUS: Readonly<Record<string, Customer["orders"][number]["status"]>> = {
  future: "open",
  open: "open",
  pending: "packing",
  closed: "delivered",
  cancelled: "cancelled",
};

/** "Visa ending 4242, expires 4/28" */
const cardWords = ({ brand, last4, expMonth, expYear }: CustomerRow["cards"][number]): string =>
  `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending ${last4}, expires ${expMonth}/${String(expYear % 100).padStart(2, "0")}`;

/** A person of the staff by name, an operator by theirs; null: the person themself, or a job. */
const byWords = (actor: string | null, staff: string | null): string | null =>
  staff ?? (actor?.startsWith("operator:") ? actor.slice("operator:".length) : null);

/** The reason that a booking's note ends with: "credit granted by an operator: late", "order 123456789: broken eggs". */
const reasonOf = (note: string): string =>
  /^(?:credit granted by an operator|order [\d, ]+): (.*)$/.exec(note)?.[1] ?? "";

function creditEntry(entry: CustomerRow["credit_entries"][number]): Customer["creditEntries"][number] {
  const { isElsewhere } = entry;
  return {
    at: instant(entry.at),
    what: entry.kind,
    reason: isElsewhere ? "" : (entry.reason ?? reasonOf(entry.note)),
    by: isElsewhere ? null : byWords(entry.actor, entry.staff),
    orderId: isElsewhere ? null : entry.orderId,
    amount: dollars(entry.amountCents),
  };
}

function subscriptionsOf(row: CustomerRow, now: Date): Customer["subscriptions"] {
  const today = dateInZone(now, row.hub?.timeZone ?? "UTC");
  return row.subscriptions.map((each) => ({
    id: each.id,
    kind: each.kind,
    title: each.title,
    vendor: each.vendor,
    quantity: each.quantity,
    every: each.interval_weeks,
    next: each.isSold ? nextDate({ ...each, skips: row.skips }, each.isInCart, row.open_days) : null,
    isPaused: each.paused_until !== null && each.paused_until > today,
  }));
}

/** The markets of a person; none: only those who may do it in all markets. */
const places = ({ hub_ids: ids }: CustomerRow): readonly (number | "all")[] => (ids.length === 0 ? ["all"] : ids);

/** A person as a person of the staff reads them. */
export function serializeCustomer(row: CustomerRow, { grants }: StaffActor, now: Date): Customer {
  const isLive = row.deleted_at === null;
  const granting = places(row).filter((hub) => can(grants, "credit.grant", hub));
  const limits = granting.map((hub) => giveLimitCents(grants, "credit.grant", hub === "all" ? null : hub));
  return {
    id: row.id,
    version: row.version,
    name: `${row.first_name} ${row.last_name}`.trim(),
    email: row.email ?? "",
    phone: row.phone ?? "",
    hub: row.hub,
    pickupPoint: row.pickup_point,
    addresses: row.addresses,
    since: row.created_at.toISOString(),
    deletedAt: row.deleted_at?.toISOString() ?? null,
    credit: dollars(row.credit_cents),
    cards: row.cards.map(cardWords),
    consent: {
      orderEmails: row.subscribed_all_messages,
      marketEmails: row.subscribed_marketing_emails,
      texts: row.subscribed_marketing_sms,
    },
    autoCheckout: AUTO_CHECKOUT_NAMES[row.auto_checkout_status] ?? "off",
    isGlutenFree: row.is_gluten_free,
    isVegan: row.is_vegan,
    passUntil: row.pass_until,
    referredBy: row.referred_by,
    orders: row.orders.map(({ totalCents, status, ...order }) => ({
      ...order,
      status: STATUS[status] ?? "open",
      total: dollars(totalCents),
    })),
    orderCount: row.order_count,
    spent: dollars(row.spent_cents),
    creditEntries: row.credit_entries.map(creditEntry),
    subscriptions: subscriptionsOf(row, now),
    problems: row.problems.map((problem) => ({ ...problem, at: instant(problem.at) })),
    notes: row.notes.map((note) => ({ ...note, at: instant(note.at) })),
    history: row.history.map(({ at, kind, what, actor, staff, why }) => ({
      at: instant(at),
      kind,
      what,
      who: byWords(actor, staff),
      why,
    })),
    can: {
      grant: isLive && granting.length > 0,
      grantLimit: limits.includes(null) ? null : dollars(Math.max(0, ...limits.map((limit) => limit ?? 0))),
      skip: isLive && row.hub !== null && can(grants, "orders.adjust", row.hub.id),
      export: can(grants, "people.export", "all"),
      delete: isLive && can(grants, "people.delete", "all"),
    },
  };
}
