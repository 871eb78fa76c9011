import { cleanLine, cleanText } from "@marketday/domain/text";
import { z } from "zod";

import { BodyId, CalendarDate, Money } from "../common.ts";
import { StaffAction } from "./actions.ts";
import { adminEndpoint } from "./endpoint.ts";

/**
 * The most orders of one action: more than one delivery day of a large market has, few enough that one transaction locks them for seconds
 * only, that a list of what was refused can be read, and that their numbers fit into the address of what is printed.
 */
const BULK_ORDERS_MAX = 500;

const orderIds = z
  .array(BodyId)
  .min(1, "Choose an order")
  .max(BULK_ORDERS_MAX, `Choose at most ${BULK_ORDERS_MAX} orders`);

/** A box that was refused, with the reason in the words of the action on that order alone. */
const Refused = z.object({
  /** Of its first order. */
  orderId: z.number().int(),
  /** Empty when the account was deleted. */
  name: z.string(),
  reason: z.string(),
});

/** What an action on many orders would do, or has begun to do. */
export const BulkPlan = z
  .object({
    /** What it changes, by the number of the first order of each box. `amount`: what goes back, is recorded, is charged or is taken off. */
    boxes: z.array(z.object({ orderId: z.number().int(), name: z.string(), amount: Money })),
    /** Boxes of which nothing would change: they are so already. */
    unchanged: z.number().int(),
    /** One refused box refuses all of them: the others are done when they are sent again without it. */
    refused: z.array(Refused),
    /** What goes back to cards, and what becomes store credit. */
    back: Money,
    credit: Money,
    /** Less to charge to cards, and less to collect at the door. */
    uncharged: Money,
    uncollected: Money,
    /** What is recorded as paid, or is charged. */
    amount: Money,
    /** Delivery fees that are taken off, because a pickup has none, and those that stay, because orders are closed. */
    feeOff: Money,
    feeKept: Money,
    /** Sheets of a day of these boxes were made, and have where they go now. */
    isOnSheets: z.boolean(),
    /** Emails to customers, and to vendors. */
    mails: z.number().int(),
    vendorMails: z.number().int(),
    /** Delivery days of these boxes that have not come yet. */
    early: z.array(z.object({ hub: z.string(), day: CalendarDate })),
    /** More goes back than the person may give in one action: the most they may. */
    overLimit: Money.nullable(),
    /** Of exactly this: what is sent back so that nothing else is done. */
    token: z.string(),
  })
  .meta({ id: "BulkPlan" });
export type BulkPlan = z.infer<typeof BulkPlan>;

/**
 * `dryRun`: answers the plan alone, and nothing is changed. Otherwise `token` is that of the plan that the person saw: 409 `conflict` with
 * the plan as it is now as `current` when it is another one, 409 `refused` while a box is refused.
 */
const seen = { dryRun: z.boolean().default(false), token: z.string().max(100).default("") };
/** `actions`: one for each market, of payments one for each delivery day; none in a dry run. */
const Done = z.object({ plan: BulkPlan, actions: z.array(StaffAction) });
export type BulkDone = z.infer<typeof Done>;

const adjust = { permission: "orders.adjust", where: "any" } as const;
const response = { 200: Done };

/**
 * Records boxes as paid at the door, as `market orders paid`; each day's can be undone. The number of an add-on means its box, here and in
 * all of these. 404 `not_found` and 403 `forbidden` name an order of a market that the person may not read or change; nothing is done.
 */
export const bulkPaid = adminEndpoint({
  method: "POST",
  url: "/bulk/paid",
  access: adjust,
  idempotent: true,
  schema: { body: z.object({ orderIds, ...seen }), response },
});

/** Marks boxes as delivered, as `market orders deliver`; undoing it is `market orders undo-deliver`. */
export const bulkDeliver = adminEndpoint({
  method: "POST",
  url: "/bulk/deliver",
  access: adjust,
  idempotent: true,
  schema: { body: z.object({ orderIds, ...seen }), response },
});

/**
 * Sends boxes of one market to one of its pickup points, each as `changePlace`: at once, without an email; undoing it takes all of them
 * back. 404 `no_such_point`.
 */
export const bulkPlace = adminEndpoint({
  method: "POST",
  url: "/bulk/place",
  access: adjust,
  idempotent: true,
  schema: { body: z.object({ orderIds, pickupPointId: BodyId, ...seen }), response },
});

/** The open pickup points of the markets of these orders, by name. */
const BulkPoints = z.object({
  markets: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      points: z.array(z.object({ id: z.number().int(), name: z.string(), address: z.string() })),
    }),
  ),
});
export type BulkPoints = z.infer<typeof BulkPoints>;

/** Where `bulkPlace` can send these orders. 404 `not_found` and 403 `forbidden` as there. */
export const findBulkPoints = adminEndpoint({
  method: "POST",
  url: "/bulk/place/points",
  access: adjust,
  schema: { body: z.object({ orderIds }), response: { 200: BulkPoints } },
});

/**
 * Cancels boxes in ten seconds, as `market orders cancel` each. 400 without a `reason`, except in a dry run. 403 `over_limit` when more
 * goes back in a market than the person's role may give at once; 403 `step_up_required` from `GIVE_STEP_UP_CENTS` on.
 */
export const bulkCancel = adminEndpoint({
  method: "POST",
  url: "/bulk/cancel",
  access: { permission: "orders.cancel", where: "any" },
  idempotent: true,
  schema: {
    body: z
      .object({
        orderIds,
        reason: z.string().overwrite(cleanLine).max(500).default(""),
        refundTo: z.enum(["card", "credit"]),
        ...seen,
      })
      .refine(({ reason, dryRun }) => dryRun || reason !== "", { path: ["reason"], message: "Give a reason" }),
    response,
  },
});

/** Charges the cards of boxes that could not be charged again in ten seconds, as `market orders charge` each. */
export const bulkCharge = adminEndpoint({
  method: "POST",
  url: "/bulk/charge",
  access: { permission: "orders.refund", where: "any" },
  idempotent: true,
  schema: { body: z.object({ orderIds, ...seen }), response },
});

const MESSAGE_SUBJECT_MAX = 150;
const MESSAGE_MAX = 5000;
/**
 * Emails the customers of these boxes in ten seconds, each once: `text` is plain text. About their orders, so it needs no consent. 400
 * without `subject` or `text`, except in a dry run.
 */
export const bulkMessage = adminEndpoint({
  method: "POST",
  url: "/bulk/message",
  access: { permission: "inbox.reply", where: "any" },
  idempotent: true,
  schema: {
    body: z
      .object({
        orderIds,
        subject: z.string().overwrite(cleanLine).max(MESSAGE_SUBJECT_MAX).default(""),
        text: z.string().overwrite(cleanText).max(MESSAGE_MAX).default(""),
        ...seen,
      })
      .refine(({ subject, dryRun }) => dryRun || subject !== "", { path: ["subject"], message: "Write a subject" })
      .refine(({ text: body, dryRun }) => dryRun || body !== "", { path: ["text"], message: "Write a message" }),
    response,
  },
});

/** labels: on Avery 5160. packing: a list for each box. receipts: a page for each box. */
const PRINTS = ["labels", "packing", "receipts"] as const;
export const PrintKind = z.enum(PRINTS);
export type PrintKind = z.infer<typeof PrintKind>;

/** How many boxes a file has. `refused`: boxes that are on no version of the sheets have neither labels nor packing lists. */
const PrintPlan = z.object({ boxes: z.number().int(), refused: z.array(Refused), right: z.array(z.number().int()) });
export type PrintPlan = z.infer<typeof PrintPlan>;

/** What `getBulkPrint` would print. */
export const planBulkPrint = adminEndpoint({
  method: "POST",
  url: "/bulk/print/plan",
  access: { permission: "people.read", where: "any" },
  schema: { body: z.object({ orderIds, kind: PrintKind }), response: { 200: PrintPlan } },
});

/** One PDF of these boxes, as the newest sheets have them. `orderIds`: separated by commas. 409 `refused` names boxes that have no sheets. */
export const getBulkPrint = adminEndpoint({
  method: "GET",
  url: "/bulk/print/:kind",
  access: { permission: "people.read", where: "any" },
  schema: {
    params: z.object({ kind: PrintKind }),
    querystring: z.object({
      orderIds: z
        .string()
        .regex(/^\d{1,10}(,\d{1,10})*$/, "Choose an order")
        .transform((ids) => ids.split(",").map(Number))
        .pipe(orderIds),
    }),
    response: { 200: z.unknown() },
  },
});
