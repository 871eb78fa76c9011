import type { Suggestion } from "@marketday/contracts/search";
import type { ProductPage, Vendor } from "@marketday/contracts/vendors";
import { VENDOR_SEARCH_MAX_ROWS } from "@marketday/domain/limits";
import { cents, toDollars } from "@marketday/domain/money";

import type { Deps } from "../../deps.ts";
import type { Actor } from "../../lib/context.ts";
import { serializePictureOrNull } from "../../lib/picture.ts";
import type { Page } from "../../plugins/paging.ts";
import { hubOf } from "../../plugins/session.ts";
import { loadProducts } from "../products/load-products.ts";
import { personalize } from "../products/personal.ts";
import { personalizeVendors } from "../vendors/load-vendors.ts";
import { serializeVendor } from "../vendors/serialize.ts";
import { findMatches, findSuggestions, findVendorsNamed } from "./store.ts";

/** docs/product.md §5 Auto-complete. */
const SUGGESTIONS = 8;

/** A page of what the shopper's hub sells, best match first (spec §7.9); empty for nobody. */
export async function searchProducts(deps: Deps, actor: Actor, text: string, page: Page): Promise<ProductPage> {
  const hubId = hubOf(actor);
  const shape = { currentPage: page.page, rowsPerPage: page.rows };
  if (hubId === null) return { products: [], totalResults: 0, ...shape };
  const { product_ids: ids, total } = await findMatches(deps.db, hubId, text, page);
  const products = await loadProducts(deps.db, hubId, ids);
  const own = actor.type === "customer" ? await personalize(deps.db, actor.customerId, products) : products;
  return { products: own, totalResults: total, ...shape };
}

/** At most eight things of the hub that are called so; `[]` for nobody. */
export async function autoComplete(deps: Deps, actor: Actor, text: string): Promise<Suggestion[]> {
  const hubId = hubOf(actor);
  if (hubId === null) return [];
  const rows = await findSuggestions(deps.db, hubId, text, SUGGESTIONS);
  return rows.map(({ price_cents: priceCents, image, ...row }) => ({
    ...row,
    image: serializePictureOrNull(image),
    price: priceCents === null ? null : toDollars(cents(priceCents)),
  }));
}

/** At most 25 vendors by name: of the shopper's hub (`[]` for nobody), or of all. */
export async function searchVendors(deps: Deps, actor: Actor, text: string, scope: "hub" | "all"): Promise<Vendor[]> {
  const hubId = hubOf(actor);
  if (hubId === null && scope === "hub") return [];
  const vendors = (await findVendorsNamed(deps.db, hubId, text, scope, VENDOR_SEARCH_MAX_ROWS)).map(serializeVendor);
  return actor.type === "customer" ? personalizeVendors(deps, actor.customerId, vendors) : vendors;
}
