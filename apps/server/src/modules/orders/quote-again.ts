import { CheckoutChoice, type Quote } from "@marketday/contracts/checkout";

import { AppError } from "../../lib/app-error.ts";
import { asCustomerId, type Context } from "../../lib/context.ts";
import { findAttempt } from "./checkout-store.ts";
import { prepareCheckout } from "./prepare-checkout.ts";
import { serializeQuote } from "./serialize-quote.ts";

/**
 * A new quote for the choice of an existing attempt, at current prices. Null: it can no longer be priced, for example because
 * its discount code has expired; the shopper then reviews the checkout without a quote.
 */
export async function quoteAgain(ctx: Context, attemptId: string): Promise<Quote | null> {
  const { db } = ctx.deps;
  const attempt = await findAttempt(db, attemptId);
  if (!attempt) return null;
  const { choice, plan } = attempt;
  const code =
    plan.discountCodeId === null ? null : await db.discount_code.findUnique({ where: { id: plan.discountCodeId } });
  const parsed = CheckoutChoice.safeParse({
    ...choice,
    deliveryAddress: choice.address ?? undefined,
    pickupPointId: choice.pickupPointId ?? undefined,
    discountCode: code?.code ?? null,
    useCredit: plan.creditCents > 0,
  });
  if (!parsed.success) return null;
  try {
    const customerId = asCustomerId(attempt.customer_id);
    return serializeQuote(await prepareCheckout(ctx, db, customerId, attempt.hub_id, parsed.data));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
