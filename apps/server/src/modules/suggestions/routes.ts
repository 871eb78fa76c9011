import { type Product, listSuggestions } from "@marketday/contracts/products";
import { SUGGESTIONS_MAX } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { type Cached, PRODUCT_CHANGES, withoutInventory } from "../../lib/cache.ts";
import { sendCached } from "../../lib/send-cached.ts";
import type { Actor } from "../identity/context.ts";
import { hubOf } from "../identity/guards.ts";
import { idOrSlug, idsOf, loadProducts } from "../products/load-products.ts";
import { personalizeCached } from "../products/personal.ts";
import { findSimilar } from "./suggestion-sql.ts";

/**
 * Similar products of the shopper's hub (spec §7.6), at most eight; `[]` without a session.
 * @throws AppError 404 for an unknown product
 */
async function loadSuggestions(deps: Deps, actor: Actor, text: string): Promise<Cached<Product[]>> {
  const hubId = hubOf(actor);
  const which = idOrSlug(text);
  if (!which) throw notFound();
  const key = Object.values(which)[0];
  const readIds = async () => {
    const similar = await findSimilar(deps.readDb, hubId, which, SUGGESTIONS_MAX);
    if (!similar) throw notFound();
    return similar.ids;
  };
  const cached = await deps.cache.get(
    hubId,
    `suggestions:${key}`,
    async () => {
      const ids = await deps.cache.getFresh(hubId, `similar:${key}`, readIds, {
        ...withoutInventory,
        dependsOn: ["listing", "price"],
        showsOtherHubs: true,
        choosesInStock: (similar) => similar,
      });
      return loadProducts(deps.readDb, hubId, ids.value);
    },
    { dependsOn: PRODUCT_CHANGES, showsOtherHubs: true, productsOf: idsOf, choosesInStock: idsOf },
  );
  return personalizeCached(
    deps,
    actor,
    cached,
    (products) => products,
    (_before, products) => products,
  );
}

export const suggestionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listSuggestions,
      handler: (request, reply) => sendCached(request, reply, loadSuggestions(deps, request.actor, request.params.id)),
    });
  };
