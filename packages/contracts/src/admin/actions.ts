import { INBOX_KINDS, MODERATED_KINDS } from "@marketday/domain/inbox-turn";
import { OFFER_FIELDS } from "@marketday/domain/offer-fields";
import { STAFF_ACTION_STATES } from "@marketday/domain/staff-actions";
import { z } from "zod";

import { CalendarDate, IdParams, Instant, Money } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

/** What was done, by kind: facts from which the app makes a sentence. */
export const ActionSummary = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("short"),
    shortageId: z.number().int(),
    title: z.string(),
    came: z.number().int(),
    of: z.number().int(),
    /** Boxes that lose units, money that goes back, and mails that go out. */
    boxes: z.number().int(),
    back: Money,
    mails: z.number().int(),
    /** Boxes to which money goes back, by card or as store credit: what was to be paid at the door only falls. */
    refunds: z.number().int(),
  }),
  z.object({
    kind: z.literal("cancel_order"),
    orderId: z.number().int(),
    /** Empty when the account was deleted. */
    name: z.string(),
    back: Money,
    mails: z.number().int(),
  }),
  /** `template`: of the mail. */
  z.object({ kind: z.literal("resend_mail"), orderId: z.number().int(), name: z.string(), template: z.string() }),
  z.object({
    kind: z.literal("mark_paid"),
    orderIds: z.array(z.number().int()),
    /** Boxes that were paid, and how much. */
    boxes: z.number().int(),
    amount: Money,
  }),
  // On a person; `name` is empty when the account was deleted.
  z.object({ kind: z.literal("grant_credit"), customerId: z.number().int(), name: z.string(), amount: Money }),
  z.object({
    kind: z.literal("skip_delivery"),
    customerId: z.number().int(),
    name: z.string(),
    day: CalendarDate,
    /** False: the box comes after all. */
    isSkipped: z.boolean(),
  }),
  z.object({
    kind: z.literal("set_auto_checkout"),
    customerId: z.number().int(),
    name: z.string(),
    from: z.enum(["off", "cart", "subscriptions"]),
    to: z.enum(["off", "cart", "subscriptions"]),
  }),
  z.object({ kind: z.literal("add_customer_note"), customerId: z.number().int(), name: z.string() }),
  z.object({ kind: z.literal("remove_customer_note"), customerId: z.number().int(), name: z.string() }),
  // On many orders at once. `orderIds`: of the first order of each box.
  z.object({
    kind: z.literal("bulk_cancel"),
    orderIds: z.array(z.number().int()),
    back: Money,
    mails: z.number().int(),
  }),
  z.object({ kind: z.literal("bulk_charge"), orderIds: z.array(z.number().int()), amount: Money }),
  /** `people`: each gets one email, whatever the number of their boxes. */
  z.object({
    kind: z.literal("bulk_message"),
    orderIds: z.array(z.number().int()),
    subject: z.string(),
    people: z.number().int(),
  }),
  z.object({ kind: z.literal("bulk_deliver"), orderIds: z.array(z.number().int()) }),
  /** `place`: the name of the pickup point. `feeOff`: the delivery fees that were taken off. */
  z.object({
    kind: z.literal("bulk_place"),
    orderIds: z.array(z.number().int()),
    place: z.string(),
    feeOff: Money,
  }),
  // One order.
  z.object({
    kind: z.literal("change_place"),
    orderId: z.number().int(),
    name: z.string(),
    /** A city, or the name of a pickup point. */
    place: z.string(),
    /** The delivery fee that was taken off. */
    feeOff: Money,
  }),
  z.object({
    kind: z.literal("refund_order"),
    orderId: z.number().int(),
    name: z.string(),
    amount: Money,
    to: z.enum(["card", "credit"]),
    /** The vendor who bears it; null: the market. */
    bearer: z.string().nullable(),
  }),
  z.object({
    kind: z.literal("short_order"),
    orderId: z.number().int(),
    name: z.string(),
    title: z.string(),
    units: z.number().int(),
    back: Money,
    mails: z.number().int(),
  }),
  z.object({ kind: z.literal("move_order"), orderId: z.number().int(), name: z.string(), to: CalendarDate }),
  z.object({
    kind: z.literal("write_note"),
    orderId: z.number().int(),
    name: z.string(),
    note: z.enum(["inside", "driver", "shopper"]),
    change: z.enum(["added", "edited", "removed"]),
  }),
  z.object({ kind: z.literal("send_note"), orderId: z.number().int(), name: z.string() }),
  /** `name`: of who wrote it. `isPublic`: the answer is shown on the product's page. */
  z.object({
    kind: z.literal("inbox_reply"),
    item: z.enum(INBOX_KINDS),
    itemId: z.number().int(),
    name: z.string(),
    isPublic: z.boolean(),
  }),
  /** `isClosed`: or it was opened again. */
  z.object({
    kind: z.literal("inbox_close"),
    item: z.enum(INBOX_KINDS),
    itemId: z.number().int(),
    name: z.string(),
    isClosed: z.boolean(),
  }),
  /** `isHidden`: or it is shown again. */
  z.object({
    kind: z.literal("moderate"),
    item: z.enum(MODERATED_KINDS),
    itemId: z.number().int(),
    part: z.enum(["text", "answer"]),
    name: z.string(),
    isHidden: z.boolean(),
  }),
  /** Cells of the grid of products. `title`, `from` and `to`: of the first one; `field`: null when they are of several. */
  z.object({
    kind: z.literal("edit_offers"),
    title: z.string(),
    field: z.enum(OFFER_FIELDS).nullable(),
    from: z.string(),
    to: z.string(),
    cells: z.number().int(),
    offers: z.number().int(),
  }),
]);
export type ActionSummary = z.infer<typeof ActionSummary>;

/** Something that a person of the staff did in the admin app. */
export const StaffAction = z
  .object({
    id: z.number().int(),
    summary: ActionSummary,
    state: z.enum(STAFF_ACTION_STATES),
    /** Null: it is of all markets. */
    hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() }).nullable(),
    /** Null: it is of no delivery day. */
    day: CalendarDate.nullable(),
    by: z.string(),
    /** By the person who reads it. */
    isOwn: z.boolean(),
    /** It can be taken back, and this person may. The server may still refuse, with the reason. */
    canUndo: z.boolean(),
    createdAt: Instant,
    /** When a held one is done. */
    dueAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    /** Why it was refused, or what of it could not be done. */
    problem: z.string().nullable(),
  })
  .meta({ id: "StaffAction" });
export type StaffAction = z.infer<typeof StaffAction>;

/**
 * The actions of the last day in the markets whose orders the person may read: newest first, at most 100. With `moderation.write` alone,
 * what was hidden and shown there.
 */
export const listActions = adminEndpoint({
  method: "GET",
  url: "/actions",
  access: { permission: "orders.read", or: "moderation.write", where: "any" },
  schema: { response: { 200: z.array(StaffAction) } },
});

/**
 * Takes an action back: a held one is not done; money at the door that was recorded is due again. Needs the permission of the action in
 * its market. Twice is once. 404; 409 `already_done` when it has left the market, or what the reversal is refused for (`paid_out`).
 */
export const undoAction = adminEndpoint({
  method: "POST",
  url: "/actions/:id/undo",
  access: { permission: "orders.read", or: "moderation.write", where: "any" },
  schema: { params: IdParams, response: { 200: StaffAction } },
});
