import { z } from "zod";

import { Amount, BodyId, CalendarDate, Instant, Money } from "../common.ts";
import { StaffAction } from "./actions.ts";
import { adminEndpoint } from "./endpoint.ts";

const params = z.object({ hub: z.string().max(200), date: CalendarDate });
const access = { permission: "orders.adjust", where: "hub" } as const;

/** A box to collect money for, or whose money was collected. */
const DoorBox = z.object({
  /** Of its first order. */
  orderId: z.number().int(),
  tote: z.number().int().nullable(),
  name: z.string(),
  /** City, or the name of its pickup point; empty when the account was deleted. */
  place: z.string(),
  /** Of its driver; null at a pickup point. */
  stop: z.number().int().nullable(),
  /** "due": to collect. "paid": recorded, and by whom. */
  state: z.enum(["due", "paid"]),
  /** What is to be collected, or was. */
  amount: Money,
  /** The part of `amount` for an order of another day that is paid with it, because both were checked out together. */
  elsewhere: Money,
  /** Its card could not be charged. */
  isDeclined: z.boolean(),
  paidAt: Instant.nullable(),
  /** A name; null when no one of the staff recorded it. */
  paidBy: z.string().nullable(),
});

export const DayDoor = z
  .object({
    hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() }),
    day: CalendarDate,
    /** The orders are closed: money can be recorded. */
    isClosed: z.boolean(),
    cutoffAt: Instant,
    /** By driver, then pickup points, then what is on no sheet. */
    groups: z.array(
      z.object({
        driver: z.number().int().nullable(),
        pickup: z.string().nullable(),
        boxes: z.array(DoorBox),
        due: Money,
        paid: Money,
      }),
    ),
    /**
     * Sums, as in each group. `due` has what can be collected on this day or on another one. `paid` has what was recorded on this day, also
     * for boxes that are due again: over all days it is the money that was collected.
     */
    due: Money,
    paid: Money,
  })
  .meta({ id: "DayDoor" });
export type DayDoor = z.infer<typeof DayDoor>;

/** Money at the door of a delivery day, per driver in the order of the stops. */
export const getDoor = adminEndpoint({
  method: "GET",
  url: "/hubs/:hub/days/:date/door",
  access,
  schema: { params, response: { 200: DayDoor } },
});

/**
 * Records these boxes as paid, as `market orders paid`: all or none. `amount`: the sum that the person sees; 409 `conflict` with the day as
 * `current` when it is another one, also when one of them was recorded meanwhile. 409 `refused` names each box that is refused otherwise.
 * Its action can be undone until a vendor is paid.
 */
export const recordDoorPayments = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/door/payments",
  access,
  idempotent: true,
  schema: {
    params,
    body: z.object({
      orderIds: z.array(BodyId).min(1, "Choose a box").max(1000),
      amount: Amount.min(0).max(1_000_000),
    }),
    response: { 200: z.object({ door: DayDoor, action: StaffAction.nullable() }) },
  },
});

/**
 * Takes the payment of one box back: it is due again, and the others that were recorded with it stay. Among the recent changes it is a
 * separate action, undone. Twice is once. 409 `paid_out` once a vendor was paid for it, and what `market orders undo-paid` refuses.
 */
export const undoDoorPayment = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/door/payments/undo",
  access,
  schema: { params, body: z.object({ orderId: BodyId }), response: { 200: DayDoor } },
});
