import type { Suggestion } from "@marketday/contracts/search";
import type { ProductPage, Vendor } from "@marketday/contracts/vendors";
import { VENDOR_SEARCH_MAX_ROWS } from "@marketday/domain/limits";
import { cents, toDollars } from "@marketday/domain/money";
import { formatSize } from "@marketday/domain/size";

import type { Deps } from "../../deps.ts";
import { type Cached, cachedOf, PRODUCT_CHANGES, sharedOf, withoutInventory } from "../../lib/cache.ts";
import type { Page } from "../../lib/paging.ts";
import type { Actor } from "../identity/context.ts";
import { hubOf } from "../identity/guards.ts";
import { serializePictureOrNull } from "../pictures/picture-row.ts";
import { idsOf, loadCachedProducts } from "../products/load-products.ts";
import { personalizeCached } from "../products/personal.ts";
import { amountOf } from "../products/size-sql.ts";
import { personalizeVendors, serializeVendor } from "../vendors/load-vendors.ts";
import { findMatches, findSuggestions, findVendorsNamed } from "./search-sql.ts";

/** docs/product.md §5 Auto-complete. */
const SUGGESTIONS = 8;

const NONE: Cached<never[]> = sharedOf([]);

/** The same text in another case or with other spaces has the same matches. */
const keyOf = (text: string) => text.toLowerCase().replaceAll(/\s+/g, " ");

/**
 * A page of the products that the shopper's hub sells, best match first (spec §7.9); empty without a session. Pages with products
 * are cached as guests see them.
 */
export async function searchProducts(deps: Deps, actor: Actor, text: string, page: Page): Promise<Cached<ProductPage>> {
  const hubId = hubOf(actor);
  const shape = { currentPage: page.page, rowsPerPage: page.rows };
  if (hubId === null) return cachedOf({ products: [], totalResults: 0, ...shape });
  const key = `${page.page}:${page.rows}:${keyOf(text)}`;
  const found = await deps.cache.get(
    hubId,
    `search:${key}`,
    async () => {
      const { value } = await deps.cache.getFresh(
        hubId,
        `matches:${key}`,
        () => findMatches(deps.readDb, hubId, text, page),
        { ...withoutInventory, dependsOn: ["listing"], isCacheable: ({ product_ids: ids }) => ids.length > 0 },
      );
      return {
        products: await loadCachedProducts(deps, hubId, value.product_ids),
        totalResults: value.total,
        ...shape,
      };
    },
    {
      isCacheable: ({ products }) => products.length > 0,
      dependsOn: PRODUCT_CHANGES,
      productsOf: ({ products }) => idsOf(products),
    },
  );
  return personalizeCached(
    deps,
    actor,
    found,
    ({ products }) => products,
    (value, products) => ({ ...value, products }),
  );
}

/** At most eight products, vendors and collections of the hub that match by name; `[]` without a session. */
export async function autoComplete(deps: Deps, actor: Actor, text: string): Promise<Cached<Suggestion[]>> {
  const hubId = hubOf(actor);
  if (hubId === null) return NONE;
  return deps.cache.get(
    hubId,
    `suggestions-for:${keyOf(text)}`,
    async () => {
      const rows = await findSuggestions(deps.readDb, hubId, text, SUGGESTIONS);
      return rows.map(({ variant, image, ...row }) => ({
        ...row,
        image: serializePictureOrNull(image),
        price: variant && toDollars(cents(variant.price_cents)),
        size: variant ? formatSize(row.title, variant.title, amountOf(variant)) : "",
      }));
    },
    {
      ...withoutInventory,
      dependsOn: ["listing", "price", "picture"],
      isCacheable: (suggestions) => suggestions.length > 0,
    },
  );
}

/** At most 25 vendors by name: of the shopper's hub (`[]` without a session), or of all hubs. */
export async function searchVendors(
  deps: Deps,
  actor: Actor,
  text: string,
  scope: "hub" | "all",
): Promise<Cached<Vendor[]>> {
  const hubId = hubOf(actor);
  if (hubId === null && scope === "hub") return NONE;
  const found = await deps.cache.get(
    hubId,
    `vendors-for:${scope}:${keyOf(text)}`,
    async () => (await findVendorsNamed(deps.readDb, hubId, text, scope, VENDOR_SEARCH_MAX_ROWS)).map(serializeVendor),
    {
      ...withoutInventory,
      dependsOn: ["listing", "picture"],
      showsOtherHubs: scope === "all",
      isCacheable: (vendors) => vendors.length > 0,
    },
  );
  return actor.type === "customer" ? cachedOf(await personalizeVendors(deps, actor.customerId, found.value)) : found;
}
