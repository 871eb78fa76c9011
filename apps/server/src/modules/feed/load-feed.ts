import type { FeedCard } from "@marketday/contracts/feed";

import type { Deps } from "../../deps.ts";
import { type Cached, PRODUCT_CHANGES, sharedOf, withoutInventory } from "../../lib/cache.ts";
import type { Actor } from "../identity/context.ts";
import { hubOf } from "../identity/guards.ts";
import { loadProducts } from "../products/load-products.ts";
import { personalizeCached } from "../products/personal.ts";
import { findCards } from "./feed-sql.ts";
import { serializeCard } from "./serialize.ts";

async function readFeed({ cache, readDb, env }: Deps, hubId: number, now: Date): Promise<FeedCard[]> {
  const { value: rows } = await cache.getFresh(hubId, "feed-cards", () => findCards(readDb, hubId, now), {
    ...withoutInventory,
    dependsOn: ["listing", "price", "picture", "post"],
    choosesInStock: (cards) => cards.flatMap((card) => card.product_id ?? []),
  });
  const ids = [...new Set(rows.flatMap((row) => row.product_id ?? []))];
  const products = new Map((await loadProducts(readDb, hubId, ids)).map((product) => [product.id, product]));
  return rows.map((row) =>
    serializeCard(row, (row.product_id !== null && products.get(row.product_id)) || null, env.marketName),
  );
}

const nothing: Cached<FeedCard[]> = sharedOf<FeedCard[]>([]);

const productIdsOf = (cards: readonly FeedCard[]) => cards.flatMap(({ product }) => product?.id ?? []);

/** The feed as guests of the hub see it, without a promise when it is cached. */
const publicFeed = (deps: Deps, hubId: number, now: Date): Cached<FeedCard[]> | Promise<Cached<FeedCard[]>> =>
  deps.cache.peek<FeedCard[]>(hubId, "feed") ??
  deps.cache.get(hubId, "feed", () => readFeed(deps, hubId, now), {
    dependsOn: [...PRODUCT_CHANGES, "post"],
    productsOf: productIdsOf,
    choosesInStock: productIdsOf,
  });

async function personalFeed(deps: Deps, actor: Actor, hubId: number, now: Date): Promise<Cached<FeedCard[]>> {
  return personalizeCached(
    deps,
    actor,
    await publicFeed(deps, hubId, now),
    (cards) => cards.flatMap((card) => card.product ?? []),
    (cards, products) => {
      const byId = new Map(products.map((product) => [product.id, product]));
      return cards.map((card) => (card.product ? { ...card, product: byId.get(card.product.id)! } : card));
    },
  );
}

/** The feed as this shopper sees it, from the hub's cache (spec §7.1); `[]` without a session. */
export function loadFeed(deps: Deps, actor: Actor, now: Date): Cached<FeedCard[]> | Promise<Cached<FeedCard[]>> {
  const hubId = hubOf(actor);
  if (hubId === null) return nothing;
  return actor.type === "customer" ? personalFeed(deps, actor, hubId, now) : publicFeed(deps, hubId, now);
}
