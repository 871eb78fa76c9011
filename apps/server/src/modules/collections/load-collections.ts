import type { Collection } from "@marketday/contracts/collections";
import type { Product } from "@marketday/contracts/products";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { type Cached, PRODUCT_CHANGES, sharedOf, withoutInventory } from "../../lib/cache.ts";
import type { Page } from "../../lib/paging.ts";
import type { Actor } from "../identity/context.ts";
import { hubOf } from "../identity/guards.ts";
import { serializePictureOrNull } from "../pictures/picture-row.ts";
import { idOrSlug, idsOf, loadProducts } from "../products/load-products.ts";
import { personalizeCached } from "../products/personal.ts";
import { findCollections, findMembers, type CollectionRow } from "./member-sql.ts";
import { findPublishedCollection } from "./store.ts";

const nothing: Cached<Collection[]> = sharedOf<Collection[]>([]);

/** The collections that hold something in the shopper's hub (spec §7.8); `[]` without a session. */
export function loadCollections(
  deps: Deps,
  actor: Actor,
  now: Date,
): Cached<Collection[]> | Promise<Cached<Collection[]>> {
  const hubId = hubOf(actor);
  if (hubId === null) return nothing;
  return (
    deps.cache.peek<Collection[]>(hubId, "collections") ??
    deps.cache.get(
      hubId,
      "collections",
      async () => serializeCollections(await findCollections(deps.readDb, hubId, now)),
      { ...withoutInventory, dependsOn: ["listing", "picture"] },
    )
  );
}

/** A published collection by slug or id, for a visitor without a market. 404 when there is none. */
export async function loadPublishedCollection({ db }: Deps, text: string): Promise<{ slug: string; title: string }> {
  const which = idOrSlug(text);
  const found = which && (await findPublishedCollection(db, which));
  if (!found) throw notFound();
  return found;
}

export interface CollectionProducts {
  payload: Product[];
  totalRows: number;
}

async function readPage(
  { cache, readDb }: Deps,
  hubId: number | null,
  key: string,
  which: { id: number } | { slug: string },
  { offset, rows }: Page,
): Promise<CollectionProducts> {
  const readMembers = async () => {
    const members = await findMembers(readDb, hubId, which);
    if (!members) throw notFound();
    return members;
  };
  const { value: ids } = await cache.getFresh(hubId, `members:${key}`, readMembers, {
    ...withoutInventory,
    dependsOn: ["listing"],
  });
  return { payload: await loadProducts(readDb, hubId, ids.slice(offset, offset + rows)), totalRows: ids.length };
}

/** The page as guests of the hub see it, without a promise when it is cached. */
function publicPage(deps: Deps, hubId: number | null, which: { id: number } | { slug: string }, page: Page) {
  const collection = String("id" in which ? which.id : which.slug);
  const key = `collection:${collection}:${page.page}:${page.rows}`;
  return (
    deps.cache.peek<CollectionProducts>(hubId, key) ??
    deps.cache.get(hubId, key, () => readPage(deps, hubId, collection, which, page), {
      isCacheable: ({ payload }) => payload.length > 0 || page.page === 1,
      dependsOn: PRODUCT_CHANGES,
      productsOf: ({ payload }) => idsOf(payload),
    })
  );
}

async function personalPage(
  actor: Actor,
  deps: Deps,
  ...page: [number | null, { id: number } | { slug: string }, Page]
): Promise<Cached<CollectionProducts>> {
  return personalizeCached(
    deps,
    actor,
    await publicPage(deps, ...page),
    ({ payload }) => payload,
    (value, payload) => ({ ...value, payload }),
  );
}

/** A page of a collection's products in the shopper's hub; empty without a session, 404 when there is no such collection. */
export function loadCollectionProducts(
  deps: Deps,
  actor: Actor,
  text: string,
  page: Page,
): Cached<CollectionProducts> | Promise<Cached<CollectionProducts>> {
  const hubId = hubOf(actor);
  const which = idOrSlug(text);
  if (!which) throw notFound();
  return actor.type === "customer"
    ? personalPage(actor, deps, hubId, which, page)
    : publicPage(deps, hubId, which, page);
}

const fieldsOf = (row: CollectionRow) => ({
  id: row.id,
  slug: row.slug,
  title: row.title,
  image: serializePictureOrNull(row.image),
  showInCollections: row.show_in_collections,
  showInMainMenu: row.show_in_main_menu,
  newItemsCount: row.new_items,
});

/** Rows → contract: children are listed in their parent; a child whose parent is missing is left out. */
const serializeCollections = (rows: readonly CollectionRow[]): Collection[] =>
  rows
    .filter((row) => row.parent_id === null)
    .map((row) => ({ ...fieldsOf(row), children: rows.filter((child) => child.parent_id === row.id).map(fieldsOf) }));
