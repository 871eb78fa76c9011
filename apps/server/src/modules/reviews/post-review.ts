import { transaction } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { requestAnswer } from "../answers/request-answer.ts";
import type { Context } from "../identity/context.ts";
import { requireCustomer } from "../identity/guards.ts";
import { idOrSlug } from "../products/load-products.ts";
import { findProductForReviews, upsertReview } from "./store.ts";

/**
 * Stores a customer's review of a product, `rating` 0 to 5 in half steps; it replaces an earlier one (spec §5 Review). The vendor
 * is notified by email. Limit: ten reviews an hour.
 * @throws AppError 404 for an unknown product
 */
export async function postReview(
  { actor, deps, now }: Context,
  limits: Limits,
  text: string,
  { rating, comment }: { rating: number; comment: string },
): Promise<void> {
  const customerId = requireCustomer(actor);
  const which = idOrSlug(text);
  const product = which && (await findProductForReviews(deps.db, which, customerId));
  if (!product) throw notFound();
  await limits.review.take(customerId);
  await transaction(deps.db, async (tx) => {
    const subjectId = await upsertReview(tx, customerId, product.id, { ratingHalves: rating * 2, comment }, now);
    const mailKey = `review:${subjectId}:${now.toISOString()}`;
    await requestAnswer(tx, deps.env, { vendorId: product.vendor_id, subject: "review", subjectId, mailKey, now });
  });
  // The shopper's next request, for the product with its new rating, may arrive before the notification.
  deps.cache.drop({ kind: "review", hubIds: [], productIds: [product.id] });
}
