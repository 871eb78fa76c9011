import type { Product } from "@marketday/contracts/products";
import type { Conn } from "@marketday/db";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import type { Cached } from "../../lib/cache.ts";
import type { Actor } from "../../lib/context.ts";
import { hubOf } from "../../plugins/session.ts";
import { personalizeCached } from "./personal.ts";
import { serializeProduct } from "./serialize.ts";
import { findProducts } from "./store.ts";

/** Products as guests of the hub see them, in the order of the ids. Unknown and unpublished products are left out. */
export async function loadProducts(conn: Conn, hubId: number | null, ids: readonly number[]): Promise<Product[]> {
  if (ids.length === 0) return [];
  const byId = new Map((await findProducts(conn, hubId, { ids: [...new Set(ids)] })).map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []).map(serializeProduct);
}

export const idsOf = (products: readonly { id: number }[]): number[] => products.map(({ id }) => id);

/** Parses the id or slug of a path: ids are all digits, slugs never are. Null: neither a valid id nor a valid slug. */
export function idOrSlug(text: string): { id: number } | { slug: string } | null {
  if (!/^\d+$/.test(text)) return /\p{Cc}/u.test(text) ? null : { slug: text };
  const id = Number(text);
  return id > 0 && id <= 2_147_483_647 ? { id } : null;
}

type Which = NonNullable<ReturnType<typeof idOrSlug>>;

/** The product as guests of the hub see it; synchronous if it is cached. */
function publicProduct(deps: Deps, hubId: number | null, which: Which): Cached<Product> | Promise<Cached<Product>> {
  const key = `product:${"id" in which ? which.id : which.slug}`;
  return (
    deps.cache.peek<Product>(hubId, key) ??
    deps.cache.get(
      hubId,
      key,
      async () => {
        const [row] = await findProducts(deps.db, hubId, "id" in which ? { ids: [which.id] } : which);
        if (!row) throw notFound();
        return serializeProduct(row);
      },
      { productsOf: ({ id }) => [id] },
    )
  );
}

async function personalProduct(deps: Deps, actor: Actor, hubId: number | null, which: Which): Promise<Cached<Product>> {
  const cached = await publicProduct(deps, hubId, which);
  return personalizeCached(
    deps.db,
    actor,
    cached,
    (product) => [product],
    (_product, [personal]) => personal!,
  );
}

/** One product as this shopper sees it, from the hub's cache; 404 when unknown or unpublished (spec §7.6). */
export function loadProduct(deps: Deps, actor: Actor, text: string): Cached<Product> | Promise<Cached<Product>> {
  const hubId = hubOf(actor);
  const which = idOrSlug(text);
  if (!which) throw notFound();
  return actor.type === "customer" ? personalProduct(deps, actor, hubId, which) : publicProduct(deps, hubId, which);
}
