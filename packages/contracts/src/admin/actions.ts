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
]);
export type ActionSummary = z.infer<typeof ActionSummary>;

/** Something that a person of the staff did in the admin app. */
export const StaffAction = z
  .object({
    id: z.number().int(),
    summary: ActionSummary,
    state: z.enum(STAFF_ACTION_STATES),
    hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() }),
    day: CalendarDate,
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

/** The actions of the last day in the markets whose orders the person may read: newest first, at most 100. */
export const listActions = adminEndpoint({
  method: "GET",
  url: "/actions",
  access: { permission: "orders.read", where: "any" },
  schema: { response: { 200: z.array(StaffAction) } },
});

/**
 * Takes an action back: a held one is not done; money at the door that was recorded is due again. Needs the permission of the action in
 * its market. Twice is once. 404; 409 `already_done` when it has left the market, or what the reversal is refused for (`paid_out`).
 */
export const undoAction = adminEndpoint({
  method: "POST",
  url: "/actions/:id/undo",
  access: { permission: "orders.read", where: "any" },
  schema: { params: IdParams, response: { 200: StaffAction } },
});
