import type { Product } from "@marketday/contracts/products";
import type { Conn } from "@marketday/db";

import type { Deps } from "../../deps.ts";
import { AppError, notFound } from "../../lib/app-error.ts";
import { batchById } from "../../lib/batch.ts";
import { type Cached, type EntryOptions, PRODUCT_CHANGES } from "../../lib/cache.ts";
import type { Actor } from "../identity/context.ts";
import { hubOf } from "../identity/guards.ts";
import { personalizeCached } from "./personal.ts";
import { findProducts } from "./product-sql.ts";
import { serializeProduct } from "./serialize.ts";

/** Products as guests of the hub see them, in the order of the ids. Unknown and unpublished products are left out. */
export async function loadProducts(conn: Conn, hubId: number | null, ids: readonly number[]): Promise<Product[]> {
  if (ids.length === 0) return [];
  const byId = new Map((await findProducts(conn, hubId, { ids: [...new Set(ids)] })).map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []).map(serializeProduct);
}

const dependsOnOne: EntryOptions<Product> = { dependsOn: PRODUCT_CHANGES, productsOf: ({ id }) => [id] };

/**
 * The same from the hub's cache; one statement for what is missing or stale. For the load of another entry, which must depend on the
 * inventory of these products.
 */
export async function loadCachedProducts(deps: Deps, hubId: number, ids: readonly number[]): Promise<Product[]> {
  const load = batchById(
    (missing) => loadProducts(deps.readDb, hubId, missing),
    ({ id }) => id,
  );
  const productOf = async (id: number): Promise<Product | []> => {
    const find = async () => {
      const product = await load(id);
      if (!product) throw notFound();
      return product;
    };
    try {
      return (await deps.cache.getFresh(hubId, `product:${id}`, find, dependsOnOne)).value;
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return [];
      throw error;
    }
  };
  return (await Promise.all(ids.map(productOf))).flat();
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
        const [row] = await findProducts(deps.readDb, hubId, "id" in which ? { ids: [which.id] } : which);
        if (!row) throw notFound();
        return serializeProduct(row);
      },
      dependsOnOne,
    )
  );
}

async function personalProduct(deps: Deps, actor: Actor, hubId: number | null, which: Which): Promise<Cached<Product>> {
  const cached = await publicProduct(deps, hubId, which);
  return personalizeCached(
    deps,
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
