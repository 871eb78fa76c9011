import type { Review } from "@marketday/contracts/reviews";
import { raterName } from "@marketday/domain/review";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import type { Page } from "../../lib/paging.ts";
import type { Actor } from "../identity/context.ts";
import { idOrSlug } from "../products/load-products.ts";
import { findProductForReviews, findReviews, type ReviewRow } from "./store.ts";

/** A review. The rater is "Anna B.", or "Former customer" after the account is deleted (failures.md L2). */
const serializeReview = ({ customer, ...row }: ReviewRow): Review => ({
  id: row.id,
  created: row.created_at.toISOString(),
  rater: customer.deleted_at ? "Former customer" : raterName(customer.first_name, customer.last_name),
  rating: row.rating_halves / 2,
  comment: row.comment,
  verified: customer.orders.length > 0,
});

/**
 * A page of the reviews that this shopper may read, newest first (spec §7.6). Not cached, because the response to a new review contains it.
 * @throws AppError 404 for an unknown product
 */
export async function loadReviews(
  deps: Deps,
  actor: Actor,
  text: string,
  page: Page,
): Promise<{ reviews: Review[]; total: number }> {
  const customerId = actor.type === "customer" ? actor.customerId : null;
  const which = idOrSlug(text);
  const product = which && (await findProductForReviews(deps.db, which, customerId));
  if (!product) throw notFound();
  return {
    reviews: (await findReviews(deps.db, product.id, customerId, page)).map(serializeReview),
    total: product.total,
  };
}
