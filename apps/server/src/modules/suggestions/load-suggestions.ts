import type { Product } from "@marketday/contracts/products";
import { SUGGESTIONS_MAX } from "@marketday/domain/limits";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { type Cached, cachedOf } from "../../lib/cache.ts";
import type { Actor } from "../../lib/context.ts";
import { hubOf } from "../../plugins/session.ts";
import { idOrSlug, loadProducts } from "../products/load-products.ts";
import { personalize } from "../products/personal.ts";
import { findSimilar } from "./store.ts";

/** Products of the shopper's hub like this one (spec §7.6), at most eight; `[]` for nobody, 404 when there is no such product. */
export async function loadSuggestions(deps: Deps, actor: Actor, text: string): Promise<Cached<Product[]>> {
  const hubId = hubOf(actor);
  const which = idOrSlug(text);
  if (!which) throw notFound();
  const cached = await deps.cache.get(hubId, `suggestions:${Object.values(which)[0]}`, async () => {
    const similar = await findSimilar(deps.db, hubId, which, SUGGESTIONS_MAX);
    if (!similar) throw notFound();
    return loadProducts(deps.db, hubId, similar.ids);
  });
  return actor.type === "customer" ? cachedOf(await personalize(deps.db, actor.customerId, cached.value)) : cached;
}
