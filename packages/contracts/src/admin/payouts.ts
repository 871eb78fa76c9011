import { z } from "zod";

import { Amount, BodyId, CalendarDate, Id, IdParams, Instant, line, Money, PageQuery } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

/** A payout is about every market: one of them alone is not enough. */
const reads = { permission: "money.read", where: "all" } as const;
const pays = { permission: "payouts.write", where: "all" } as const;

const Vendor = z.object({ id: z.number().int(), slug: z.string(), name: z.string(), email: z.string().nullable() });

/** What a vendor's amount is made of. `due` = `sales` − `commission` + `compensation` + `earlier`. */
const parts = {
  /** Of the delivery days that no payout of the vendor included yet. */
  sales: Money,
  commission: Money,
  /** What the market bore for the vendor; below zero: the vendor for the market. */
  compensation: Money,
  /** What is still due from days that were paid before, as after a reversal; below zero: the vendor was paid too much. */
  earlier: Money,
  /** Below zero: nothing is paid, and it is deducted from the vendor's next payout. */
  due: Money,
};

export const DuePayout = z
  .object({
    /** The last delivery day that is included, and the market's date. */
    to: CalendarDate,
    today: CalendarDate,
    /** By name of the vendor. One who was paid up to a later day, and is owed nothing more up to `to`, is left out. */
    lines: z.array(z.object({ vendor: Vendor, ...parts })),
    /** Of the amounts above zero: how many vendors a payout pays, and how much. */
    vendors: z.number().int(),
    total: Money,
    /** What vendors sold in delivery days up to `to` whose cutoff has not passed is not included: how many such days. */
    openDays: z.number().int(),
    /** The number of the last payout; null: there was none. */
    last: z.number().int().nullable(),
  })
  .meta({ id: "DuePayout" });
export type DuePayout = z.infer<typeof DuePayout>;

/**
 * What vendors are owed for the delivery days up to `to` whose cutoff has passed; without `to`: up to the market's date. 400 `future` for
 * a later date.
 */
export const getDuePayout = adminEndpoint({
  method: "GET",
  url: "/payouts/due",
  access: reads,
  schema: { querystring: z.object({ to: CalendarDate.optional() }), response: { 200: DuePayout } },
});

export const DueStatement = z
  .object({
    vendor: Vendor,
    to: CalendarDate,
    /** The last delivery day that the vendor was paid up to; null: never. What is listed was not paid yet. */
    paidTo: CalendarDate.nullable(),
    /** What was sold and not paid, by variant, the largest amount first. */
    items: z.array(z.object({ title: z.string(), variant: z.string(), quantity: z.number().int(), amount: Money })),
    orders: z.number().int(),
    ...parts,
  })
  .meta({ id: "DueStatement" });
export type DueStatement = z.infer<typeof DueStatement>;

/** The same of one vendor, with what was sold. 404. */
export const getDueStatement = adminEndpoint({
  method: "GET",
  url: "/payouts/due/:id",
  access: reads,
  schema: {
    params: IdParams,
    querystring: z.object({ to: CalendarDate.optional() }),
    response: { 200: DueStatement },
  },
});

/**
 * Books what is due up to `to` as paid to the vendors' banks, and mails each vendor who has an address. `amounts` are those that were shown:
 * 409 `amounts_changed` when others are due by now, and 400 `future` for a date after the market's; nothing is booked then.
 */
export const bookPayout = adminEndpoint({
  method: "POST",
  url: "/payouts",
  access: pays,
  stepUp: true,
  idempotent: true,
  schema: {
    body: z.object({
      to: CalendarDate,
      amounts: z
        .array(z.object({ vendorId: BodyId, amount: Amount.min(0.01).max(20_000_000) }))
        .min(1)
        .max(1000),
    }),
    response: { 200: z.object({ payout: z.number().int(), vendors: z.number().int(), total: Money }) },
  },
});

const PayoutSummary = z.object({
  id: z.number().int(),
  bookedAt: Instant,
  /** The person of the staff or the operator who booked it. */
  by: z.string(),
  /** The last delivery day that it included. */
  to: CalendarDate,
  vendors: z.number().int(),
  total: Money,
  /** The parts of it that were reversed. */
  reversed: Money,
});

/** The payouts that were booked, newest first; `x-total-results` has their number. */
export const listPayouts = adminEndpoint({
  method: "GET",
  url: "/payouts",
  access: reads,
  schema: { querystring: PageQuery, response: { 200: z.array(PayoutSummary) } },
});
export type PayoutSummary = z.infer<typeof PayoutSummary>;

export const BookedPayout = PayoutSummary.extend({
  parts: z.array(
    z.object({
      vendor: Vendor,
      amount: Money,
      /** Null: it was not reversed. */
      reversal: z.object({ at: Instant, by: z.string(), reason: z.string() }).nullable(),
    }),
  ),
}).meta({ id: "BookedPayout" });
export type BookedPayout = z.infer<typeof BookedPayout>;

/** One payout with every vendor's part. 404. */
export const getPayout = adminEndpoint({
  method: "GET",
  url: "/payouts/:id",
  access: reads,
  schema: { params: IdParams, response: { 200: BookedPayout } },
});

/** The CSV for the bank, the same as `market ledger payouts FILE` writes, without the parts that were reversed. 404. */
export const getBankFile = adminEndpoint({
  method: "GET",
  url: "/payouts/:id/file",
  access: reads,
  schema: { params: IdParams, response: { 200: z.any() } },
});

/**
 * Reverses a vendor's part of a payout that did not arrive or was wrong: it is due again, and the vendor gets a mail. `amount`: 0 when it
 * was reversed before. 404.
 */
export const reversePayout = adminEndpoint({
  method: "POST",
  url: "/payouts/:id/vendors/:vendor/reverse",
  access: pays,
  stepUp: true,
  idempotent: true,
  schema: {
    params: IdParams.extend({ vendor: Id }),
    body: z.object({ reason: line(500, "Give a reason") }),
    response: { 200: z.object({ amount: Money }) },
  },
});
