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
import { personalizeVendors, serializeVendor } from "../vendors/load-vendors.ts";
import { findMatches, findSuggestions, findVendorsNamed } from "./store.ts";

/** docs/product.md §5 Auto-complete. */
const SUGGESTIONS = 8;

/** A page of the products that the shopper's hub sells, best match first (spec §7.9); empty without a session. */
export async function searchProducts(deps: Deps, actor: Actor, text: string, page: Page): Promise<ProductPage> {
  const hubId = hubOf(actor);
  const shape = { currentPage: page.page, rowsPerPage: page.rows };
  if (hubId === null) return { products: [], totalResults: 0, ...shape };
  const { product_ids: ids, total } = await findMatches(deps.db, hubId, text, page);
  const products = await loadProducts(deps.db, hubId, ids);
  const personal = actor.type === "customer" ? await personalize(deps.db, actor.customerId, products) : products;
  return { products: personal, totalResults: total, ...shape };
}

/** At most eight products, vendors and collections of the hub that match by name; `[]` without a session. */
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

/** At most 25 vendors by name: of the shopper's hub (`[]` without a session), or of all hubs. */
export async function searchVendors(deps: Deps, actor: Actor, text: string, scope: "hub" | "all"): Promise<Vendor[]> {
  const hubId = hubOf(actor);
  if (hubId === null && scope === "hub") return [];
  const vendors = (await findVendorsNamed(deps.db, hubId, text, scope, VENDOR_SEARCH_MAX_ROWS)).map(serializeVendor);
  return actor.type === "customer" ? personalizeVendors(deps, actor.customerId, vendors) : vendors;
}
