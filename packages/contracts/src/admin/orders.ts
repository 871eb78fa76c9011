import { z } from "zod";

import { Address, CalendarDate, Id, IdParams, Instant, Money, line } from "../common.ts";
import { StaffAction } from "./actions.ts";
import { adminEndpoint } from "./endpoint.ts";

const Hub = z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() });

/**
 * Where the money of a box is, with the amount that the word is about. "none": it costs nothing. "held": on the card. "to_charge": nothing
 * is held, a card is charged when orders close. "due": to collect at the door. "declined": the card could not be charged; it is collected
 * at the door where the market packs such orders. "paid": with the store credit that paid a part. "back": given back since, or on its
 * way. "back_failed": it was to go back, and the card did not take it. "written_off": the market bears it. Of several, the first of
 * declined, due, back_failed, back, written_off, held, to_charge, paid.
 */
export const BoxMoney = z.object({
  state: z.enum(["none", "held", "to_charge", "due", "declined", "paid", "back", "back_failed", "written_off"]),
  amount: Money,
});
export type BoxMoney = z.infer<typeof BoxMoney>;

/** A box of a delivery day: an order with its add-ons. */
const DayBox = z.object({
  /** Of its first order. */
  orderId: z.number().int(),
  /** A box keeps its number, also when it is cancelled. Null: on no version of the sheets. */
  tote: z.number().int().nullable(),
  /** Empty when the account was deleted. */
  name: z.string(),
  status: z.enum(["open", "packing", "delivered", "cancelled"]),
  /** Of its live orders; of a cancelled box, as its total, what it was. */
  units: z.number().int(),
  /** To a door, with its city; to a pickup point, with its name. */
  place: z.string(),
  isPickup: z.boolean(),
  driver: z.number().int().nullable(),
  stop: z.number().int().nullable(),
  total: Money,
  money: BoxMoney,
  hasNotes: z.boolean(),
});

export const DayBoxes = z
  .object({
    hub: Hub,
    day: CalendarDate,
    boxes: z.array(DayBox),
    /** Of all boxes that are not cancelled. `due`: to collect at the door, as on the sheets. */
    total: Money,
    due: Money,
  })
  .meta({ id: "DayBoxes" });
export type DayBoxes = z.infer<typeof DayBoxes>;

/** The boxes of a delivery day by tote, then the oldest. 404 for an unknown market or a date without a delivery. */
export const getDayBoxes = adminEndpoint({
  method: "GET",
  url: "/hubs/:hub/days/:date/boxes",
  access: { permission: "orders.read", where: "hub" },
  schema: { params: z.object({ hub: z.string().max(200), date: CalendarDate }), response: { 200: DayBoxes } },
});

/** A line of a box: as packed, with what was ordered. `quantity` is 0 when it was taken off. */
const BoxLine = z.object({
  orderId: z.number().int(),
  variantId: z.number().int(),
  title: z.string(),
  vendor: z.object({ id: z.number().int(), slug: z.string(), name: z.string() }),
  /** Its sizes are at `{image}/{160|320}.webp`. */
  image: z.string().nullable(),
  /** dry | cold | frozen */
  storage: z.string(),
  ordered: z.number().int(),
  quantity: z.number().int(),
  each: Money,
});

/**
 * Something that happened to a box. `what`: the audit log's action, the mail's template, the step of the money, or of an order: "placed",
 * "added" (an add-on), "edited" and "deleted" (by the customer), "frozen" (first on the sheets), "cancelled", "delivered". A hold on a card
 * that was "released" is in no step of the money.
 */
const BoxEvent = z.object({
  at: Instant,
  kind: z.enum(["audit", "mail", "money", "order"]),
  what: z.string(),
  /** "staff:ada@example.com", "customer:12", "system:week". */
  who: z.string().nullable(),
  /** Of a person of the staff. */
  name: z.string().nullable(),
  why: z.string(),
  /** Of a shortage: what did not come, "1 × Duck Eggs". */
  items: z.array(z.string()),
  amount: Money.nullable(),
  /** A mail that can be sent again. */
  mailId: z.number().int().nullable(),
  /** Null: it is not sent yet. */
  sentAt: Instant.nullable(),
});

/** A box as staff read it: reading first. */
export const OrderBox = z
  .object({
    /** Of its first order; an add-on is found by its own number too. */
    id: z.number().int(),
    orderIds: z.array(z.number().int()),
    /** Raised by every change of its orders: `expectedVersion`. */
    version: z.string(),
    hub: Hub,
    day: CalendarDate,
    tote: z.number().int().nullable(),
    status: z.enum(["open", "packing", "delivered", "cancelled"]),
    place: z.string(),
    isPickup: z.boolean(),
    /** Null: a pickup, or the person may not read people (`people.read`). */
    address: Address.nullable(),
    driver: z.number().int().nullable(),
    stop: z.number().int().nullable(),
    /** Empty without `people.read`: they say how to get in. */
    notes: z.string(),
    /** What the staff noted, the oldest first; empty without `people.read`. "driver": on the sheets. "shopper": on the order's page. */
    staffNotes: z.array(
      z.object({
        id: z.number().int(),
        kind: z.enum(["inside", "driver", "shopper"]),
        text: z.string(),
        by: z.string(),
        at: Instant,
        editedAt: Instant.nullable(),
        version: z.number().int(),
      }),
    ),
    /** checkout | auto */
    source: z.string(),
    /** Of its first order, then of each add-on. */
    lines: z.array(BoxLine),
    /** The rows of its receipt (`total-rows` of the domain): they sum to `total`. */
    totals: z.array(
      z.object({
        row: z.enum(["items", "discount", "delivery", "pickup", "tip", "processing", "tax", "waived"]),
        amount: Money,
      }),
    ),
    /** Of its live orders; of a cancelled box, what it was. */
    total: Money,
    /** Of the total, paid by store credit. */
    credit: Money,
    money: BoxMoney,
    /** Held, charged, given back, with amount and time; in their order, what is still to come last. */
    steps: z.array(
      z.object({
        /** "credit": store credit paid a part. "due": to collect at the door. "to_charge": at the cutoff. */
        step: z.enum([
          "held",
          "charged",
          "collected",
          "declined",
          "refund",
          "credit",
          "written_off",
          "to_charge",
          "due",
        ]),
        amount: Money,
        /** Null: it is still to come, and no time is known. */
        at: Instant.nullable(),
        /** "Visa ending 4242"; null for money at the door, and for a card that was not saved. */
        card: z.string().nullable(),
        /** Of a refund: where it goes, and how far it is. "by_hand": it was paid at the door and is given back there. */
        refund: z
          .object({ to: z.enum(["card", "credit"]), state: z.enum(["done", "underway", "by_hand", "failed"]) })
          .nullable(),
      }),
    ),
    /**
     * Entries by account and change: each column and `now` sum to zero. `what`: sale | edit | short | cancel | capture | refund |
     * credit | compensation | dispute | write_off. `name`: of a vendor. Null without `money.read` or `orders.refund`.
     */
    ledger: z
      .object({
        columns: z.array(z.object({ what: z.string(), at: Instant })),
        rows: z.array(
          z.object({ account: z.string(), name: z.string().nullable(), amounts: z.array(Money), now: Money }),
        ),
      })
      .nullable(),
    /** Null when the account was deleted. `phone` and `email` are masked without `people.read`. */
    customer: z
      .object({
        id: z.number().int(),
        name: z.string(),
        email: z.string(),
        phone: z.string(),
        /** Boxes of this market that were not cancelled, and when the first was ordered. */
        orders: z.number().int(),
        since: Instant.nullable(),
        /** Store credit, the same in all markets. */
        credit: Money,
      })
      .nullable(),
    /** Newest first. */
    history: z.array(BoxEvent),
    /** What was done to it and is held at the moment, or running. */
    held: z.array(StaffAction),
    /** What may be done with it now, by this person. */
    can: z.object({
      markPaid: z.boolean(),
      cancel: z.boolean(),
      resend: z.boolean(),
      refund: z.boolean(),
      short: z.boolean(),
      note: z.boolean(),
      /** To another address or pickup point. */
      changePlace: z.boolean(),
      /** To a later delivery day. */
      moveDay: z.boolean(),
      charge: z.boolean(),
    }),
  })
  .meta({ id: "OrderBox" });
export type OrderBox = z.infer<typeof OrderBox>;

/** The box of an order number. 404 in a market whose orders the person may not read. */
export const getOrderBox = adminEndpoint({
  method: "GET",
  url: "/orders/:id",
  access: { permission: "orders.read", where: "any" },
  schema: { params: IdParams, response: { 200: OrderBox } },
});

/** What cancelling does: where the money goes, and how many mails leave. Nothing to cancel: no `orderIds`. */
export const CancelPlan = z
  .object({
    orderIds: z.array(z.number().int()),
    /** To the card, or with `refundTo` "credit" to store credit. */
    back: Money,
    /** To store credit in all, what the customer had paid with it included. */
    credit: Money,
    /** Less to charge to the card. */
    uncharged: Money,
    /** Less to collect at the door. */
    uncollected: Money,
    /** Not given back: the customer's bank has it in a dispute. */
    bank: Money,
    /** Not given back again: the customer has it already. */
    earlier: Money,
    mails: z.number().int(),
  })
  .meta({ id: "CancelPlan" });
export type CancelPlan = z.infer<typeof CancelPlan>;

const Cancel = z.object({
  reason: line(500, "Give a reason"),
  refundTo: z.enum(["card", "credit"]),
  expectedVersion: line(100),
});

/** What cancelling would do; nothing is changed. */
export const planCancel = adminEndpoint({
  method: "POST",
  url: "/orders/:id/cancel/plan",
  access: { permission: "orders.cancel", where: "any" },
  schema: { params: IdParams, body: Cancel.pick({ refundTo: true }), response: { 200: CancelPlan } },
});

/** Cancels a box in ten seconds, as `market orders cancel`. 409 `conflict` with the box as `current` when it was changed since. */
export const cancelOrder = adminEndpoint({
  method: "POST",
  url: "/orders/:id/cancel",
  access: { permission: "orders.cancel", where: "any" },
  idempotent: true,
  schema: { params: IdParams, body: Cancel, response: { 200: StaffAction } },
});

/** Sends a mail of an order again in ten seconds, to the customer's address of now. 404 for a mail of another order. */
export const resendMail = adminEndpoint({
  method: "POST",
  url: "/orders/:id/mails/:mail/resend",
  access: { permission: "orders.adjust", where: "any" },
  idempotent: true,
  schema: { params: z.object({ id: Id, mail: Id }), response: { 200: StaffAction } },
});
