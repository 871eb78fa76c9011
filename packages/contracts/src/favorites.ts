import { z } from "zod";

import { IdOrSlugParams, PageQuery } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { Product } from "./products.ts";
import { Vendor } from "./vendors.ts";

const Favorite = z.object({ isFavorite: z.boolean() });

/** spec §7.6. A guest: 401 "Favorites requires the creation of an account." */
export const favoriteProduct = endpoint({
  method: "POST",
  url: "/products/:id/favorite",
  schema: { params: IdOrSlugParams, response: { 200: Favorite } },
});
export const unfavoriteProduct = endpoint({
  method: "DELETE",
  url: "/products/:id/favorite",
  schema: { params: IdOrSlugParams, response: { 200: Favorite } },
});

/** spec §7.6: 20 a page, those the hub sells first, newest hearts first. */
export const listFavoriteProducts = endpoint({
  method: "GET",
  url: "/favorites/products",
  schema: { querystring: PageQuery, response: { 200: z.array(Product) } },
});

/** spec §7.7: followed vendors of this hub, 20 a page. */
export const listFavoriteVendors = endpoint({
  method: "GET",
  url: "/favorites/vendors",
  schema: { querystring: PageQuery, response: { 200: z.array(Vendor) } },
});

/** spec §7.7: followed vendors of every hub. */
export const listAllFavoriteVendors = endpoint({
  method: "GET",
  url: "/favorites/all-vendors",
  schema: { querystring: PageQuery, response: { 200: z.array(Vendor) } },
});

/**
 * At most four products that can be bought here now (docs/product.md §5): what this customer ordered most, then what the hub
 * sells most. Also for guests; `[]` without a session.
 */
export const listUsuals = endpoint({
  method: "GET",
  url: "/favorites/usuals",
  schema: { response: { 200: z.array(Product) } },
});

/** spec §7.11 Most-ordered items: what this customer ordered most, 5 a page. */
export const listMostOrdered = endpoint({
  method: "GET",
  url: "/favorites/most-ordered",
  schema: { querystring: PageQuery, response: { 200: z.array(Product) } },
});
