import type { FeedCard } from "@marketday/contracts/feed";
import type { Product } from "@marketday/contracts/products";
import type { ProductPage } from "@marketday/contracts/vendors";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { type Cached, PRODUCT_CHANGES } from "../../lib/cache.ts";
import type { Page } from "../../lib/paging.ts";
import { serializeCard } from "../feed/serialize.ts";
import type { Actor } from "../identity/context.ts";
import { hubOf } from "../identity/guards.ts";
import { idsOf, loadProducts } from "../products/load-products.ts";
import { personalize, personalizeCached } from "../products/personal.ts";
import { vendorKey } from "./load-vendors.ts";
import { popularityOf } from "./popularity.ts";
import { findListed, type WhichVendor } from "./store.ts";
import { findPostCards, findPostPage } from "./vendor-sql.ts";

async function readProducts(
  deps: Deps,
  hubId: number | null,
  which: WhichVendor,
  page: Page,
  now: Date,
): Promise<ProductPage> {
  const listed = await findListed(deps.readDb, hubId, which);
  if (!listed) throw notFound();
  const shape = { totalResults: listed.length, currentPage: page.page, rowsPerPage: page.rows };
  if (hubId === null) return { products: [], ...shape };
  const { products: orders } = await popularityOf(deps, hubId, now);
  // The sort is stable: products with equal counts stay newest first.
  const ids = listed
    .toSorted((a, b) => (orders.get(b) ?? 0) - (orders.get(a) ?? 0))
    .slice(page.offset, page.offset + page.rows);
  return { products: await loadProducts(deps.readDb, hubId, ids), ...shape };
}

/**
 * A page of a vendor's products that the shopper's hub lists, most bought first (spec §7.7); empty without a session.
 * @throws AppError 404 for an unknown vendor
 */
export async function loadVendorProducts(
  deps: Deps,
  actor: Actor,
  which: WhichVendor,
  page: Page,
  now: Date,
): Promise<Cached<ProductPage>> {
  const hubId = hubOf(actor);
  const cached = await deps.cache.get(
    hubId,
    `vendor-products:${vendorKey(which)}:${page.page}:${page.rows}`,
    () => readProducts(deps, hubId, which, page, now),
    {
      isCacheable: ({ products }) => products.length > 0 || page.page === 1,
      dependsOn: PRODUCT_CHANGES,
      showsOtherHubs: true,
      productsOf: ({ products }) => idsOf(products),
    },
  );
  return personalizeCached(
    deps,
    actor,
    cached,
    ({ products }) => products,
    (value, products) => ({ ...value, products }),
  );
}

interface PostPage {
  cards: FeedCard[];
  total: number;
}

async function readPosts(
  deps: Deps,
  hubId: number | null,
  which: WhichVendor,
  page: Page,
  now: Date,
): Promise<PostPage> {
  // No hub has the id 0: an unknown vendor is a 404 without a session too.
  const posts = await findPostPage(deps.readDb, hubId ?? 0, which, now, page);
  if (!posts) throw notFound();
  if (hubId === null) return { cards: [], total: 0 };
  const rows = posts.post_ids.length === 0 ? [] : await findPostCards(deps.readDb, hubId, posts.post_ids);
  const products = await loadProducts(
    deps.readDb,
    hubId,
    rows.flatMap((row) => row.product_id ?? []),
  );
  const byId = new Map(products.map((product) => [product.id, product]));
  const productOf = (id: number | null): Product | null => (id === null ? null : (byId.get(id) ?? null));
  return {
    cards: rows.map((row) => serializeCard(row, productOf(row.product_id), deps.env.marketName)),
    total: posts.total,
  };
}

/**
 * A page of "The Latest" of a vendor as feed cards, newest first (spec §7.7); empty without a session.
 * @throws AppError 404 for an unknown vendor
 */
export async function loadVendorPosts(
  deps: Deps,
  actor: Actor,
  which: WhichVendor,
  page: Page,
  now: Date,
): Promise<{ cards: FeedCard[]; total: number }> {
  const hubId = hubOf(actor);
  const { value } = await deps.cache.get(
    hubId,
    `vendor-posts:${vendorKey(which)}:${page.page}:${page.rows}`,
    () => readPosts(deps, hubId, which, page, now),
    {
      isCacheable: ({ cards }) => cards.length > 0 || page.page === 1,
      dependsOn: [...PRODUCT_CHANGES, "post"],
      showsOtherHubs: true,
      productsOf: ({ cards }) => cards.flatMap(({ product }) => product?.id ?? []),
    },
  );
  if (actor.type !== "customer") return value;
  const personal = await personalize(
    deps,
    actor.customerId,
    value.cards.flatMap((card) => card.product ?? []),
  );
  const byId = new Map(personal.map((product) => [product.id, product]));
  return {
    ...value,
    cards: value.cards.map((card) => (card.product ? { ...card, product: byId.get(card.product.id)! } : card)),
  };
}
