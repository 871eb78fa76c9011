import { z } from "zod";

import { BodyId, CalendarDate, Id, Instant, Money, Picture, line } from "../common.ts";
import { StaffAction } from "./actions.ts";
import { adminEndpoint } from "./endpoint.ts";

const params = z.object({ hub: z.string().max(200), date: CalendarDate });
const access = { permission: "orders.adjust", where: "hub" } as const;

const RefundTo = z.enum(["card", "credit"]);
const Bearer = z.enum(["vendor", "market"]);
const WHOLE = "Enter a whole number, like 9.";
const UNITS_MAX = 100_000;
const Units = z.number(WHOLE).int(WHOLE).min(0, "Enter 0 or more").max(UNITS_MAX, "Enter 100,000 or less");

/** An item that is ordered for a delivery day, or was. */
const DayItem = z.object({
  variantId: z.number().int(),
  /** "Pasture Eggs, Dozen" */
  title: z.string(),
  unit: z.string().nullable(),
  image: Picture.nullable(),
  vendor: z.object({ id: z.number().int(), slug: z.string(), name: z.string() }),
  /** Of one; the highest where boxes paid different prices. */
  each: Money,
  /** Units now, and on the newest sheets (0 before there are any). */
  ordered: z.number().int(),
  frozen: z.number().int(),
  boxes: z.number().int(),
  /** Units that can still be sold for the day; null once it takes no more orders. */
  left: z.number().int().nullable(),
});

/**
 * A shortage of an item. "counted": it is known how many came, nothing else has happened. "held": `action` settles it at its time unless it
 * is undone before, and then it is "counted" again. "settled": boxes were lowered and money went back. `action` with state "refused": it was
 * to be settled, and its `problem` says why it was not.
 */
const Shortage = z.object({
  id: z.number().int(),
  variantId: z.number().int(),
  came: z.number().int(),
  of: z.number().int(),
  /** Units by box; null: by the rule. */
  gets: z.record(z.string(), z.number().int()).nullable(),
  refundTo: RefundTo,
  bearer: Bearer,
  reason: z.string(),
  state: z.enum(["counted", "held", "settled"]),
  /** Null: it was not to be settled yet, or was settled by the command `market short`. */
  action: StaffAction.nullable(),
  /** Before the cutoff: units that this count took off sale. */
  withheld: z.number().int(),
  /** A person's name. */
  countedBy: z.string(),
  countedAt: Instant,
  settledBy: z.string().nullable(),
  settledAt: Instant.nullable(),
  version: z.number().int(),
});

export const DayShorts = z
  .object({
    hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() }),
    day: CalendarDate,
    /** When orders close, or closed. */
    cutoffAt: Instant,
    /** Before the cutoff has run, a shortage can be counted and not settled. */
    isFrozen: z.boolean(),
    items: z.array(DayItem),
    /** To settle first, then the newest. */
    shortages: z.array(Shortage),
  })
  .meta({ id: "DayShorts" });
export type DayShorts = z.infer<typeof DayShorts>;

/** Where the money of lowered boxes goes. The total falls by the sum of all but `back`. */
const Back = z.object({
  /** Leaves the market: `card` and `credit`. */
  back: Money,
  card: Money,
  credit: Money,
  /** Less to collect at the door. */
  door: Money,
  /** Less to charge to a card. */
  uncharged: Money,
  /** The shopper's bank has taken it back. */
  bank: Money,
  /** It was given back before. */
  earlier: Money,
});

/** What a box has of an item, what it gets, and where its money goes. */
const Share = z.object({
  /** The number of its first order. */
  boxId: z.number().int(),
  /** Null: on no version of the sheets. */
  tote: z.number().int().nullable(),
  /** Empty when the account was deleted, and without `people.read`. */
  name: z.string(),
  placedAt: Instant,
  /** Ordered by a subscription. */
  isSubscription: z.boolean(),
  ordered: z.number().int(),
  gets: z.number().int(),
  /** "Visa 1881": the card it was paid with. Null: none, as for a payment at the door. */
  cardName: z.string().nullable(),
  /** Null before the cutoff. Zeros for a box that gets all. */
  money: Back.nullable(),
});
/** A plan of shares with what it costs, before anything is done. */
export const ShortPlan = z
  .object({
    /** Oldest box first. */
    shares: z.array(Share),
    /** Null before the cutoff, when orders are not charged yet. */
    money: Back.extend({
      /** What the vendor's share falls by; zero when the market bears it. */
      vendor: Money,
      /** What the market pays the vendor for it; zero when the vendor bears it. */
      market: Money,
      /** What these fall by. `fees`: of the card and the delivery. `discounts`: of what was given off. */
      commission: Money,
      tip: Money,
      tax: Money,
      fees: Money,
      discounts: Money,
    }).nullable(),
    /** To customers, and to vendors. */
    mails: z.number().int(),
    vendorMails: z.number().int(),
  })
  .meta({ id: "ShortPlan" });
export type ShortPlan = z.infer<typeof ShortPlan>;

/** The items of a day and their shortages. 404 for an unknown market or a date without a delivery. */
export const getShorts = adminEndpoint({
  method: "GET",
  url: "/hubs/:hub/days/:date/shorts",
  access,
  schema: { params, response: { 200: DayShorts } },
});

const Count = z.object({
  variantId: BodyId,
  came: Units,
  /** Units ordered, as the person sees them: 409 `other_count` with `ordered` when others are ordered now. */
  of: Units,
  /** By `boxId`; every box of the item is named. Null: by the rule. */
  gets: z.record(z.string().regex(/^\d{1,9}$/), Units).nullable(),
  refundTo: RefundTo,
  bearer: Bearer,
  reason: line(500),
});

/**
 * The shares by the rule or by hand, and what they cost; nothing is changed. 404 `no_such_item`; 409 `refused` with a sentence that names
 * each box that cannot be lowered, `other_count`, `other_boxes`; 422 `not_short` when all that are ordered came, `bad_shares`.
 */
export const planShort = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/shorts/plan",
  access,
  schema: { params, body: Count, response: { 200: ShortPlan } },
});
/**
 * Stores how many came: a new shortage, or with `expectedVersion` a change of the one that is not settled. Before the cutoff, no more
 * than came can be sold from then on. The same count again changes nothing. 404 `no_such_item`; 409 `conflict` with `current` when
 * someone else has counted the same item, `held` with `current` while it is about to be settled, `other_count`; 422 `not_short`.
 */
export const countShort = adminEndpoint({
  method: "PUT",
  url: "/hubs/:hub/days/:date/shorts",
  access,
  schema: {
    params,
    body: Count.extend({ expectedVersion: z.number().int().nullable() }),
    response: { 200: DayShorts },
  },
});
const one = params.extend({ id: Id });
const Expected = z.object({ expectedVersion: z.number().int() });
/**
 * Settles a shortage in a minute: boxes are lowered, money goes back, customers and vendors get their mails. Its action can be undone until
 * then. 409 `conflict` with `current` when it was changed or settled since, `still_open` before the cutoff, `refused`, `other_count`,
 * `other_boxes`; 422 `not_short`, `bad_shares`.
 */
export const settleShort = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/shorts/:id/settle",
  access,
  idempotent: true,
  schema: { params: one, body: Expected, response: { 200: DayShorts } },
});
/**
 * Removes a count that was not settled: all came. What it took off sale is on sale again, unless the stock was set since. Twice is once.
 * 409 `conflict` with `current`, `held` with `current`.
 */
export const removeShort = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/shorts/:id/remove",
  access,
  schema: { params: one, body: Expected, response: { 200: DayShorts } },
});
