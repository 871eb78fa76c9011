import { CheckoutChoice, type Quote } from "@marketday/contracts/checkout";

import { AppError } from "../../lib/app-error.ts";
import { asCustomerId, type Context } from "../../lib/context.ts";
import { findAttempt } from "./checkout-store.ts";
import { prepareCheckout } from "./prepare-checkout.ts";
import { serializeQuote } from "./serialize-quote.ts";

/**
 * The current price of what an attempt was for, with the choice that it was made with. Null: it can no longer be priced, for
 * example because its code has ended; the shopper then reviews the checkout without it.
 */
export async function quoteAgain(ctx: Context, attemptId: string): Promise<Quote | null> {
  const { db } = ctx.deps;
  const attempt = await findAttempt(db, attemptId);
  if (!attempt) return null;
  const { choice, plan } = attempt;
  const code =
    plan.discountCodeId === null ? null : await db.discount_code.findUnique({ where: { id: plan.discountCodeId } });
  const asked = CheckoutChoice.safeParse({
    ...choice,
    deliveryAddress: choice.address ?? undefined,
    pickupPointId: choice.pickupPointId ?? undefined,
    discountCode: code?.code ?? null,
    useCredit: plan.creditCents > 0,
  });
  if (!asked.success) return null;
  try {
    const customerId = asCustomerId(attempt.customer_id);
    return serializeQuote(await prepareCheckout(ctx, db, customerId, attempt.hub_id, asked.data));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
