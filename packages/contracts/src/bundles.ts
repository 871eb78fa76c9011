import { z } from "zod";

import { IdOrSlugParams, Money, Picture } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { Product } from "./products.ts";

/** A product of a bundle: how many of which variant, and what is in it. */
const BundleProduct = Product.extend({
  ingredients: z.string().nullable(),
  quantity: z.number().int(),
  variantId: z.number().int(),
  /** Whether the hub has enough of it now. */
  available: z.boolean(),
}).meta({ id: "BundleProduct" });

/** spec §3 Bundle; `total` after `saving`. */
export const Bundle = z
  .object({
    id: z.number().int(),
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    image: Picture.nullable(),
    /** Weeks, or null without a subscription. */
    subscriptionInterval: z.number().int().nullable(),
    subscriptionStatus: z.enum(["subscribed", "unsubscribed"]),
    total: Money,
    /** What adding it costs now: `total` without what the hub cannot deliver this week. */
    totalAvailable: Money,
    saving: Money,
    products: z.array(BundleProduct),
  })
  .meta({ id: "Bundle" });
export type Bundle = z.infer<typeof Bundle>;

/** spec §7.8: the hub's bundles; `[]` without a session and in the special hub. */
export const listBundles = endpoint({ method: "GET", url: "/bundles", schema: { response: { 200: z.array(Bundle) } } });

/** spec §7.8: those this customer subscribes to. */
export const listSubscribedBundles = endpoint({
  method: "GET",
  url: "/bundles/subscribed",
  schema: { response: { 200: z.array(Bundle) } },
});

/** spec §7.8. */
export const getBundle = endpoint({
  method: "GET",
  url: "/bundles/:id",
  schema: { params: IdOrSlugParams, response: { 200: Bundle } },
});

/** spec §7.8: subscribes, or changes the interval. */
export const subscribeBundle = endpoint({
  method: "POST",
  url: "/bundles/:id",
  schema: {
    params: IdOrSlugParams,
    body: z.object({ subscription_interval: z.number().int().min(1).max(4) }),
    response: { 200: Bundle },
  },
});
export const unsubscribeBundle = endpoint({
  method: "DELETE",
  url: "/bundles/:id",
  schema: { params: IdOrSlugParams, response: { 200: Bundle } },
});
