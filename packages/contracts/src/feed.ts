import { z } from "zod";

import { Instant, Picture } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { Product, VendorRef } from "./products.ts";

export const FEED_TYPES = [
  "vendor-post",
  "staff-trending",
  "staff-insane-weekly-deal",
  "new-item",
  "new-vendor",
  "returning-item",
  "on-sale",
  "staff-pick",
  "staff-flash-sale",
] as const;

/** spec §3 Feed card. */
export const FeedCard = z
  .object({
    /** Unique in the feed: "post-12", "new-item-40". */
    id: z.string(),
    type: z.enum(FEED_TYPES),
    title: z.string(),
    subtitle: z.string(),
    avatar: Picture.nullable(),
    avatarLabel: z.string(),
    text: z.string(),
    textImage: Picture.nullable(),
    product: Product.nullable(),
    vendor: VendorRef.nullable(),
    created: Instant,
  })
  .meta({ id: "FeedCard" });
export type FeedCard = z.infer<typeof FeedCard>;

/** spec §7.1: the hub's cards, newest first, at most 60; `[]` without a session. */
export const getFeed = endpoint({ method: "GET", url: "/feed", schema: { response: { 200: z.array(FeedCard) } } });
