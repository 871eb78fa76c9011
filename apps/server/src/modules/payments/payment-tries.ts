import { Second } from "@marketday/domain/time";

import { AppError } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { type Limits, type PaymentBlock, waitText } from "../../lib/limits.ts";
import { enqueueMail } from "../mail/store.ts";

/** The limit on declined and abandoned payment attempts, for one shopper's request (docs/product.md §17). */
export interface PaymentTries {
  /** Rows of `rate_limit` the attempt counts against, to be stored with its payment. */
  readonly keys: string[];
  /** 429 `payment_limit` when the limit is reached, and a mail to the shopper. */
  check(): Promise<void>;
  /** Counts an attempt before the provider is called; 429 like `check`. */
  count(): Promise<void>;
  /** Takes an attempt back that succeeded without a payment of its own, or never got an answer. */
  uncount(): Promise<void>;
}

async function refusalOf({ deps, now }: Context, customerId: CustomerId, block: PaymentBlock): Promise<AppError> {
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
  return new AppError(
    429,
    `Too many payments${where} were declined or not finished. Please try again in ${waitText(block.ms)}.`,
    { code: "payment_limit" },
    { "retry-after": String(seconds) },
  );
}

/** The limit for a shopper and the address the request came from; nothing is limited where no cards are taken. */
export function paymentTries(ctx: Context, limits: Limits, customerId: CustomerId, ip: string): PaymentTries {
  const { payment } = limits;
  const source = { customerId, ip };
  if (!ctx.deps.payments.takesCards)
    return { keys: [], check: async () => undefined, count: async () => undefined, uncount: async () => undefined };
  const refuseIf = async (block: PaymentBlock | null) => {
    if (block) throw await refusalOf(ctx, customerId, block);
  };
  return {
    keys: payment.keysOf(source),
    check: async () => refuseIf(await payment.check(source)),
    count: async () => refuseIf(await payment.count(source)),
    uncount: () => payment.uncount(source),
  };
}
