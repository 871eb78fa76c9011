import { SEARCH_MAX, SEARCH_MIN, VENDOR_SEARCH_MIN } from "@marketday/domain/limits";
import { cleanLine } from "@marketday/domain/text";
import { z } from "zod";

import { PageQuery, Picture } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { ProductPage, Vendor } from "./vendors.ts";

const term = (least: number) =>
  z.object({
    q: z.string().overwrite(cleanLine).min(least, `Please provide at least ${least} characters.`).max(SEARCH_MAX),
  });

/** docs/product.md §5: at most 8, of every kind. */
export const Suggestion = z
  .object({
    type: z.enum(["product", "vendor", "collection"]),
    id: z.number().int(),
    slug: z.string(),
    title: z.string(),
    image: Picture.nullable(),
    /** Name of a product's vendor; null for vendors and collections. */
    vendor: z.string().nullable(),
    /** A product's price here, dollars: of its first size, on sale the lower one. Null for vendors and collections. */
    price: z.number().nullable(),
    /** The size that has this price, as in `Variant`; empty for vendors and collections. */
    size: z.string(),
  })
  .meta({ id: "Suggestion" });
export type Suggestion = z.infer<typeof Suggestion>;

/** spec §7.9. */
export const autoComplete = endpoint({
  method: "GET",
  url: "/search/new/auto-complete/:q",
  schema: { params: term(SEARCH_MIN), response: { 200: z.array(Suggestion) } },
});

/** spec §7.9: only what this hub sells, ranked, tolerant of typos, prefix-matching the last word; 18 a page. */
export const searchProducts = endpoint({
  method: "GET",
  url: "/search/new/query/:q",
  schema: { params: term(SEARCH_MIN), querystring: PageQuery, response: { 200: ProductPage } },
});

/** spec §7.9: this hub's vendors, at most 25. */
export const searchHubVendors = endpoint({
  method: "GET",
  url: "/search/vendors/:q",
  schema: { params: term(SEARCH_MIN), response: { 200: z.array(Vendor) } },
});

/** spec §7.9: vendors of all hubs from 2 characters, at most 25. */
export const searchVendors = endpoint({
  method: "GET",
  url: "/vendors/search/:q",
  schema: { params: term(VENDOR_SEARCH_MIN), response: { 200: z.array(Vendor) } },
});
