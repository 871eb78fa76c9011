import { z } from "zod";

import { AddressInput, Amount, BodyId, CalendarDate, Id, IdParams, line, Money, prose } from "../common.ts";
import { StaffAction } from "./actions.ts";
import { adminEndpoint } from "./endpoint.ts";
import { OrderBox } from "./orders.ts";

/** The version of the box that the person sees. */
const expectedVersion = line(100);
const reason = line(500).default("");

/** Where a box goes: an open pickup point of its market, or an address that its market delivers to. */
export const OrderPlace = z.discriminatedUnion("type", [
  z.object({ type: z.literal("pickup"), pickupPointId: BodyId }),
  z.object({ type: z.literal("delivery"), address: AddressInput }),
]);
export type OrderPlace = z.infer<typeof OrderPlace>;

/** Where a box can go: the open pickup points of its market, and the later days that take orders. */
export const OrderMoves = z
  .object({
    points: z.array(z.object({ id: z.number().int(), name: z.string(), address: z.string(), hours: z.string() })),
    /** The pickup point it goes to now. */
    pickupPointId: z.number().int().nullable(),
    /** Empty after the cutoff: cards are charged, and vendors have their lists. */
    days: z.array(CalendarDate),
  })
  .meta({ id: "OrderMoves" });
export type OrderMoves = z.infer<typeof OrderMoves>;

export const getOrderMoves = adminEndpoint({
  method: "GET",
  url: "/orders/:id/moves",
  access: { permission: "orders.adjust", where: "any" },
  schema: { params: IdParams, response: { 200: OrderMoves } },
});

/** What a change of the place does. */
export const PlacePlan = z
  .object({
    /** A city, or the name of a pickup point. */
    from: z.string(),
    to: z.string(),
    /** The delivery fee that is taken off, before the cutoff, because a pickup has none. */
    feeOff: Money,
    /** The delivery fee that stays, because orders are closed. */
    feeKept: Money,
    /** Its sheets were made, so the day shows what changed. */
    isOnSheets: z.boolean(),
  })
  .meta({ id: "PlacePlan" });
export type PlacePlan = z.infer<typeof PlacePlan>;

/** What changing the place of a box would do; nothing is changed. */
export const planPlace = adminEndpoint({
  method: "POST",
  url: "/orders/:id/place/plan",
  access: { permission: "orders.adjust", where: "any" },
  schema: { params: IdParams, body: z.object({ place: OrderPlace }), response: { 200: PlacePlan } },
});

/**
 * Changes where a box goes, at once. 409 `conflict` with the box as `current` when it was changed since, `cancelled`, `delivered`,
 * `no_customer`, `point_closed`; 422 `outside_hub`, `same_place`.
 */
export const changePlace = adminEndpoint({
  method: "POST",
  url: "/orders/:id/place",
  access: { permission: "orders.adjust", where: "any" },
  idempotent: true,
  schema: {
    params: IdParams,
    body: z.object({ place: OrderPlace, reason, expectedVersion }),
    response: { 200: z.object({ action: StaffAction, box: OrderBox }) },
  },
});

/** Charges a closed box again, as `market orders charge`. 402 `not_charged` with the reason. Twice is once. */
export const chargeOrder = adminEndpoint({
  method: "POST",
  url: "/orders/:id/charge",
  access: { permission: "orders.refund", where: "any" },
  idempotent: true,
  schema: {
    params: IdParams,
    body: z.object({ reason, expectedVersion }),
    /** `charged`: 0 when it was paid before. */
    response: { 200: z.object({ charged: Money, box: OrderBox }) },
  },
});

/** What is written in the ledger: it sums to zero. */
const LedgerPlan = z.array(z.object({ account: z.string(), name: z.string().nullable(), amount: Money }));
export type LedgerPlan = z.infer<typeof LedgerPlan>;

const destination = z.enum(["card", "credit"]);
const Refund = z.object({
  amount: Amount.positive("Enter an amount above zero.").max(100_000),
  to: destination,
  /** Slug of the vendor who bears it; null: the market. */
  bearer: line(200).nullable(),
  reason: line(500, "Give a reason"),
  expectedVersion,
});

/** What a refund does. */
export const RefundPlan = z
  .object({ amount: Money, to: destination, ledger: LedgerPlan, mails: z.number().int() })
  .meta({ id: "RefundPlan" });
export type RefundPlan = z.infer<typeof RefundPlan>;

/** What refunding a part of an order (of this number alone) would do; nothing is written. */
export const planRefund = adminEndpoint({
  method: "POST",
  url: "/orders/:id/refund/plan",
  access: { permission: "orders.refund", where: "any" },
  schema: {
    params: IdParams,
    body: Refund.pick({ amount: true, to: true, bearer: true }),
    response: { 200: RefundPlan },
  },
});

/**
 * Refunds a part of an order in ten seconds, as `market orders refund`. The same refund twice is once. 403 `over_limit` with the limit;
 * from `GIVE_STEP_UP_CENTS` on `step_up_required`; 409 `conflict` with the box as `current`, `refund_held`; 422 `too_much`.
 */
export const refundOrder = adminEndpoint({
  method: "POST",
  url: "/orders/:id/refund",
  access: { permission: "orders.refund", where: "any" },
  idempotent: true,
  schema: { params: IdParams, body: Refund, response: { 200: StaffAction } },
});

const Short = z.object({
  variantId: BodyId,
  came: z.number("Enter a whole number, like 1.").int("Enter a whole number, like 1.").min(0).max(999),
  of: z.number().int().min(1).max(999),
  to: destination,
  bearer: z.enum(["vendor", "market"]),
  reason,
  expectedVersion,
});

/** What a short line does. */
export const ShortPlan = z
  .object({
    title: z.string(),
    /** Units that are taken off. */
    units: z.number().int(),
    back: Money,
    /** Less to charge to the card, and to collect at the door. */
    uncharged: Money,
    uncollected: Money,
    ledger: LedgerPlan,
    mails: z.number().int(),
  })
  .meta({ id: "ShortPlan" });
export type ShortPlan = z.infer<typeof ShortPlan>;

/** What recording a short line of an order (of this number alone) would do; nothing is written. */
export const planShortLine = adminEndpoint({
  method: "POST",
  url: "/orders/:id/short/plan",
  access: { permission: "orders.adjust", where: "any" },
  schema: {
    params: IdParams,
    body: Short.omit({ reason: true, expectedVersion: true }),
    response: { 200: ShortPlan },
  },
});

/** Records a short line in ten seconds, as `market orders short`. 409 `conflict`, `short_held`, `other_count`, `still_open`; 422 `not_short`. */
export const shortLine = adminEndpoint({
  method: "POST",
  url: "/orders/:id/short",
  access: { permission: "orders.adjust", where: "any" },
  idempotent: true,
  schema: { params: IdParams, body: Short, response: { 200: StaffAction } },
});

/** What moving a box to another day does. */
export const MovePlan = z
  .object({
    /** The customer's box of that day that it joins, or beside which it stays. */
    joins: z.number().int().nullable(),
    beside: z.number().int().nullable(),
    /** The delivery fee that is taken off, because it joins a box that has one. */
    feeOff: Money,
    /** The card is not saved, and the bank lets the money go before that day. */
    needsCard: z.boolean(),
    /** The customer skipped that day. */
    isSkipped: z.boolean(),
    /** Items that the market does not sell at present. */
    unsold: z.array(z.string()),
    mails: z.number().int(),
  })
  .meta({ id: "MovePlan" });
export type MovePlan = z.infer<typeof MovePlan>;

export const planMove = adminEndpoint({
  method: "POST",
  url: "/orders/:id/day/plan",
  access: { permission: "orders.adjust", where: "any" },
  schema: { params: IdParams, body: z.object({ to: CalendarDate }), response: { 200: MovePlan } },
});

/** Moves a box to a later day of its market in ten seconds. 404 `no_such_day` with the next ones; 409 `conflict`, `orders_closed`, `move_held`. */
export const moveOrder = adminEndpoint({
  method: "POST",
  url: "/orders/:id/day",
  access: { permission: "orders.adjust", where: "any" },
  idempotent: true,
  schema: {
    params: IdParams,
    body: z.object({ to: CalendarDate, reason, expectedVersion }),
    response: { 200: StaffAction },
  },
});

const noteText = prose(500, "Write a note");
/** What a note's change answers: its action (and that of its mail), and the box. */
const Noted = z.object({ actions: z.array(StaffAction), box: OrderBox });

/** Adds a note to a box at once; with `isMailed` a note for the shopper is emailed in ten seconds. 409 `no_customer`; 422 `too_many_notes`. */
export const addNote = adminEndpoint({
  method: "POST",
  url: "/orders/:id/notes",
  access: { permission: "orders.adjust", where: "any" },
  idempotent: true,
  schema: {
    params: IdParams,
    body: z.object({
      kind: z.enum(["inside", "driver", "shopper"]),
      text: noteText,
      isMailed: z.boolean().default(false),
    }),
    response: { 200: Noted },
  },
});

const noteParams = z.object({ id: Id, note: Id });
const noteVersion = z.object({ expectedVersion: z.number().int() });

/** Changes a note. 409 `conflict` with the box as `current`. */
export const putNote = adminEndpoint({
  method: "PUT",
  url: "/orders/:id/notes/:note",
  access: { permission: "orders.adjust", where: "any" },
  schema: { params: noteParams, body: noteVersion.extend({ text: noteText }), response: { 200: Noted } },
});

/** Removes a note. 409 `conflict` with the box as `current`. */
export const removeNote = adminEndpoint({
  method: "POST",
  url: "/orders/:id/notes/:note/remove",
  access: { permission: "orders.adjust", where: "any" },
  schema: { params: noteParams, body: noteVersion, response: { 200: Noted } },
});

/** Emails a note for the shopper in ten seconds. 409 `conflict` with the box as `current`, `no_customer`. */
export const sendNote = adminEndpoint({
  method: "POST",
  url: "/orders/:id/notes/:note/send",
  access: { permission: "orders.adjust", where: "any" },
  idempotent: true,
  schema: { params: noteParams, body: noteVersion, response: { 200: Noted } },
});
