import type { Review } from "@marketday/contracts/reviews";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import type { Page } from "../../plugins/paging.ts";
import { idOrSlug } from "../products/load-products.ts";
import { serializeReview } from "./serialize.ts";
import { findReviewed, findReviews } from "./store.ts";

/**
 * A page of a product's reviews, newest first (spec §7.6); 404 when there is no such product. Never from a cache: who
 * posts reads them again at once.
 */
export async function loadReviews(deps: Deps, text: string, page: Page): Promise<{ reviews: Review[]; total: number }> {
  const which = idOrSlug(text);
  const product = which && (await findReviewed(deps.db, which));
  if (!product) throw notFound();
  return { reviews: (await findReviews(deps.db, product.id, page)).map(serializeReview), total: product.total };
}
