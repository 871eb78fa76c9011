import { REVIEW_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import { IdOrSlugParams, Instant, PageQuery, prose } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** spec §3 Review; `verified`: the rater bought it; `rater` is "Anna B." */
export const Review = z
  .object({
    id: z.number().int(),
    created: Instant,
    rater: z.string(),
    /** 0 to 5 in half steps. */
    rating: z.number(),
    comment: z.string(),
    verified: z.boolean(),
  })
  .meta({ id: "Review" });
export type Review = z.infer<typeof Review>;

/** spec §7.6: newest first, with paging headers. */
export const listReviews = endpoint({
  method: "GET",
  url: "/products/:id/reviews",
  schema: { params: IdOrSlugParams, querystring: PageQuery, response: { 200: z.array(Review) } },
});

/** spec §5 Review: one per customer and product, the newest replaces; answers the reviews of the first page. */
export const postReview = endpoint({
  method: "POST",
  url: "/products/:id/reviews",
  schema: {
    params: IdOrSlugParams,
    body: z.object({
      comment: prose(REVIEW_MAX, "Write your review"),
      rating: z.number().min(0).max(5).multipleOf(0.5).default(5),
    }),
    response: { 200: z.array(Review) },
  },
});
