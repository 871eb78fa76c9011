import { z } from "zod";

import { CalendarDate, Id, Instant, Money } from "../common.ts";
import { StaffAction } from "./actions.ts";
import { adminEndpoint } from "./endpoint.ts";

const params = z.object({ hub: z.string().max(200), date: CalendarDate });
const access = { permission: "orders.adjust", where: "hub" } as const;

const RefundTo = z.enum(["card", "credit"]);
const Bearer = z.enum(["vendor", "market"]);
const Units = z.number("Enter a whole number, like 9").int("Enter a whole number, like 9").min(0).max(100_000);

/** An item of a delivery day: `ordered` now, and on the newest sheets. */
const DayItem = z.object({
  variantId: z.number().int(),
  title: z.string(),
  unit: z.string().nullable(),
  image: z.string().nullable(),
  vendor: z.object({ id: z.number().int(), slug: z.string(), name: z.string() }),
  ordered: z.number().int(),
  frozen: z.number().int(),
  boxes: z.number().int(),
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
  action: StaffAction.nullable(),
  countedBy: z.string(),
  countedAt: Instant,
  settledAt: Instant.nullable(),
  version: z.number().int(),
});

export const DayShorts = z
  .object({
    hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() }),
    day: CalendarDate,
    /** Before the cutoff, a shortage can be counted and not settled. */
    isFrozen: z.boolean(),
    /** When orders close, or closed. */
    cutoffAt: Instant,
    items: z.array(DayItem),
    /** To settle first, then the newest. */
    shortages: z.array(Shortage),
  })
  .meta({ id: "DayShorts" });
export type DayShorts = z.infer<typeof DayShorts>;

/** What a box has of an item, what it gets, and where its money goes. */
const Share = z.object({
  boxId: z.number().int(),
  tote: z.number().int().nullable(),
  name: z.string(),
  placedAt: Instant,
  isSubscription: z.boolean(),
  ordered: z.number().int(),
  gets: z.number().int(),
  back: Money,
  credit: Money,
  bank: Money,
});
/** A plan of shares with what it costs, before anything is done. */
export const ShortPlan = z
  .object({
    shares: z.array(Share),
    back: Money,
    credit: Money,
    bank: Money,
    /** What the vendor's share falls by; zero when the market bears it. */
    vendor: Money,
    mails: z.number().int(),
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
  variantId: z.number().int(),
  came: Units,
  /** Units ordered, as the person sees them: 409 `other_count` when they are not, and on no version of the sheets. */
  of: Units,
  gets: z.record(z.string().regex(/^\d{1,9}$/), Units).nullable(),
  refundTo: RefundTo,
  bearer: Bearer,
  reason: z.string().trim().max(500),
});

/** The shares by the rule or by hand, and what they cost; nothing is changed. 409 `refused`, `other_count`; 422 `bad_shares`. */
export const planShort = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/shorts/plan",
  access,
  schema: { params, body: Count, response: { 200: ShortPlan } },
});
/**
 * Stores how many came: a new shortage, or with `expectedVersion` a change of the one that is not settled. 409 `conflict` with `current`
 * when someone else has counted the same item.
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
 * then. 409 `conflict` with `current` when it was changed since, `still_open` before the cutoff, `refused`, `other_count`; 422 `bad_shares`.
 */
export const settleShort = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/shorts/:id/settle",
  access,
  idempotent: true,
  schema: { params: one, body: Expected, response: { 200: DayShorts } },
});
/** Removes a count that was not settled: all came. 409 `conflict` with `current`. */
export const removeShort = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/shorts/:id/remove",
  access,
  schema: { params: one, body: Expected, response: { 200: DayShorts } },
});
