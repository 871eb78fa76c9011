import { sqlTransaction } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import type { Limits } from "../../lib/limits.ts";
import { requireCustomer } from "../../plugins/session.ts";
import { askVendor } from "../answers/ask-vendor.ts";
import { idOrSlug } from "../products/load-products.ts";
import { findReviewed, upsertReview } from "./store.ts";

/**
 * A customer says what a product is like: `rating` 0 to 5 in half steps. One review each, the newest replaces (spec §5
 * Review); ten an hour. Its vendor hears of it by mail. Unknown product: 404.
 */
export async function postReview(
  { actor, deps, now }: Context,
  limits: Limits,
  text: string,
  { rating, comment }: { rating: number; comment: string },
): Promise<void> {
  const customerId = requireCustomer(actor);
  const which = idOrSlug(text);
  const product = which && (await findReviewed(deps.db, which));
  if (!product) throw notFound();
  await limits.review.take(customerId);
  await sqlTransaction(deps.db, async (tx) => {
    const matterId = await upsertReview(tx, customerId, product.id, { ratingHalves: rating * 2, comment }, now);
    const mailKey = `review:${matterId}:${now.toISOString()}`;
    await askVendor(tx, deps.env, { vendorId: product.vendor_id, matter: "review", matterId, mailKey, now });
  });
}
