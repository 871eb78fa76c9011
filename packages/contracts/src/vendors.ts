import { ENDORSEMENT_COMMENT_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import { IdOrSlugParams, PageQuery, Picture, prose } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { FeedCard } from "./feed.ts";
import { Product } from "./products.ts";

/** spec §3 Vendor with its slug; `isFollowed` is the shopper's own. */
export const Vendor = z
  .object({
    id: z.number().int(),
    slug: z.string(),
    name: z.string(),
    city: z.string(),
    state: z.string(),
    avatar: Picture.nullable(),
    heroImage: Picture.nullable(),
    isFollowed: z.boolean(),
    /** The average of its endorsements, 0 without any. */
    endorsementScore: z.number(),
    /** Sanitised HTML. */
    description: z.string(),
    followers: z.number().int(),
    /** How many it sells in the hub. */
    products: z.number().int(),
  })
  .meta({ id: "Vendor" });
export type Vendor = z.infer<typeof Vendor>;

export const VENDOR_SORTS = ["az-asc", "popular", "desc"] as const;

/** spec §7.7: all vendors of the hub unless paged; popular = orders of 90 days, then followers. `[]` without a session. */
export const listVendors = endpoint({
  method: "GET",
  url: "/vendors",
  schema: {
    querystring: z.object({ ...PageQuery.shape, sort: z.enum(VENDOR_SORTS).default("az-asc") }),
    response: { 200: z.array(Vendor) },
  },
});

/** spec §7.7: by id or slug; `hashed=true`: `{id}` is the 16-hex hash of printed links. Unknown: 404. */
export const getVendor = endpoint({
  method: "GET",
  url: "/vendors/:id",
  schema: {
    params: IdOrSlugParams,
    querystring: z.object({ hashed: z.stringbool().optional() }),
    response: { 200: Vendor },
  },
});

/** A page of products with its place in the whole (docs/product.md §2 Lists). */
export const ProductPage = z
  .object({
    products: z.array(Product),
    totalResults: z.number().int(),
    currentPage: z.number().int(),
    rowsPerPage: z.number().int(),
  })
  .meta({ id: "ProductPage" });
export type ProductPage = z.infer<typeof ProductPage>;

/** spec §7.7: 18 a page, 30 on the vendor screen. */
export const listVendorProducts = endpoint({
  method: "GET",
  url: "/vendors/:id/products",
  schema: { params: IdOrSlugParams, querystring: PageQuery, response: { 200: ProductPage } },
});

/** spec §7.7: feed cards of the vendor, newest first, 10 a page. */
export const listVendorPosts = endpoint({
  method: "GET",
  url: "/vendors/:id/posts",
  schema: { params: IdOrSlugParams, querystring: PageQuery, response: { 200: z.array(FeedCard) } },
});

const Followed = z.object({ isFollowed: z.boolean(), followers: z.number().int() });

/** spec §7.7. A guest: 401 "Favorites requires the creation of an account." */
export const followVendor = endpoint({
  method: "POST",
  url: "/vendors/:id/favorite",
  schema: { params: IdOrSlugParams, response: { 200: Followed } },
});
export const unfollowVendor = endpoint({
  method: "DELETE",
  url: "/vendors/:id/favorite",
  schema: { params: IdOrSlugParams, response: { 200: Followed } },
});

/** spec §5 Endorsement: one per customer and vendor, the newest replaces; the visit questions only when visited. */
export const endorseVendor = endpoint({
  method: "POST",
  url: "/vendors/:id/endorse",
  schema: {
    params: IdOrSlugParams,
    body: z
      .object({
        score: z.number().int().min(1).max(5),
        /** 1 patron, 2 relative, 3 friend, 4 employee */
        relationship: z.number().int().min(1).max(4),
        comment: prose(ENDORSEMENT_COMMENT_MAX).nullish(),
        hasVisited: z.boolean().nullish(),
        visitRating: z.number().int().min(1).max(5).nullish(),
        wouldVisitAgain: z.boolean().nullish(),
      })
      .refine((given) => given.hasVisited === true || (given.visitRating == null && given.wouldVisitAgain == null), {
        message: "Only for those who have visited.",
        path: ["visitRating"],
      }),
    response: { 200: Vendor },
  },
});
