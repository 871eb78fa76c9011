import { Second } from "@marketday/domain/time";

import { AppError } from "../../lib/app-error.ts";
import { type Limits, type PaymentBlock, waitText } from "../../lib/limits.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { enqueueMail } from "../mail/mail-sql.ts";

/** Why no more payments are attempted, and for how many seconds. */
export interface LimitReached {
  message: string;
  retryAfter: number;
}

/** 429 `payment_limit`. */
export const tooManyPayments = ({ message, retryAfter }: LimitReached) =>
  new AppError(429, message, { code: "payment_limit" }, { "retry-after": String(retryAfter) });

/** The limit on declined and abandoned payment attempts, for one shopper's request (docs/product.md §17). */
export interface PaymentTries {
  /** Rows of `rate_limit` the attempt counts against, to be stored with its payment. */
  readonly keys: string[];
  /** The limit when it is reached; the shopper gets an email about it. */
  check(): Promise<LimitReached | null>;
  /** Counts an attempt before the provider is called; like `check`. */
  count(): Promise<LimitReached | null>;
  /** Uncounts an attempt that succeeded without a payment row, or never got an answer. */
  uncount(): Promise<void>;
}

async function limitReached(
  { deps, now }: Context,
  customerId: CustomerId,
  block: PaymentBlock,
): Promise<LimitReached> {
  const seconds = Math.max(1, Math.ceil(block.ms / Second.ms));
  const until = new Date(now.getTime() + block.ms);
  // One mail for each hour of refusals.
  await enqueueMail(deps.db, {
    key: `payment-limit:${customerId}:${until.toISOString().slice(0, 13)}`,
    template: "payment-limit",
    customerId,
    data: { by: block.by },
    now,
  });
  const where = block.by === "customer" ? "" : " from your internet connection";
  return {
    message: `Too many payments${where} were declined or not finished. Please try again in ${waitText(block.ms)}.`,
    retryAfter: seconds,
  };
}

/** The limit for a shopper and the address the request came from; nothing is limited where no cards are taken. */
export function paymentTries(ctx: Context, limits: Limits, customerId: CustomerId, ip: string): PaymentTries {
  const { payment } = limits;
  const source = { customerId, ip };
  if (!ctx.deps.payments.takesCards)
    return { keys: [], check: async () => null, count: async () => null, uncount: async () => undefined };
  const reached = async (block: PaymentBlock | null) => (block ? limitReached(ctx, customerId, block) : null);
  return {
    keys: payment.keysOf(source),
    check: async () => reached(await payment.check(source)),
    count: async () => reached(await payment.count(source)),
    uncount: () => payment.uncount(source),
  };
}
