import { z } from "zod";

import { CalendarDate, IdOrSlugParams, Instant, Money, Picture } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** A vendor as a product or card names it. */
export const VendorRef = z
  .object({
    id: z.number().int(),
    slug: z.string(),
    name: z.string(),
    city: z.string(),
    state: z.string(),
    avatar: Picture.nullable(),
  })
  .meta({ id: "VendorRef" });
export type VendorRef = z.infer<typeof VendorRef>;

/**
 * spec §3 Variant in the shopper's hub. `size`: how much one buys, "Round, 5 oz", without what the product's title says already;
 * empty where that says it all, or the market says nothing. `unitPrice`: the price of one measure, "$0.54 / oz".
 */
export const Variant = z
  .object({
    id: z.number().int(),
    title: z.string(),
    inventory: z.number().int(),
    price: Money,
    salePrice: Money.nullable(),
    isSubscribed: z.boolean(),
    preOrderDate: CalendarDate.nullable(),
    size: z.string(),
    unitPrice: z.string().nullable(),
  })
  .meta({ id: "Variant" });
export type Variant = z.infer<typeof Variant>;

/** spec §3 Product; what is the shopper's own is false or 0 for a guest (docs/product.md §5). */
export const Product = z
  .object({
    id: z.number().int(),
    slug: z.string(),
    created: Instant,
    previousOrderCount: z.number().int(),
    previousVendorOrderCount: z.number().int(),
    isFavorite: z.boolean(),
    tags: z.array(z.string()),
    ratingCount: z.number().int(),
    avgRating: z.number(),
    ribbonText: z.string().nullable(),
    ribbonType: z.string().nullable(),
    discountNotes: z.string().nullable(),
    title: z.string(),
    images: z.array(Picture),
    /** Sanitised HTML. */
    description: z.string(),
    newDescription: z.string().nullable(),
    variants: z.array(Variant),
    vendor: VendorRef,
    availableMarkets: z.array(z.object({ id: z.number().int(), name: z.string() })),
    /** 2 to 7 days of freshness, or null. */
    badge: z.number().int().nullable(),
    isPreOrder: z.boolean(),
    originCountry: z.string().nullable(),
    originState: z.string().nullable(),
    originCounty: z.string().nullable(),
    processor: z.string().nullable(),
  })
  .meta({ id: "Product" });
export type Product = z.infer<typeof Product>;

/**
 * spec §7.6. Any published product; not sold in the current hub: `variants` is empty and `availableMarkets` names
 * the hubs that carry it. Unknown: 404.
 */
export const getProduct = endpoint({
  method: "GET",
  url: "/products/:id",
  schema: {
    params: IdOrSlugParams,
    querystring: z.object({ messageId: z.string().max(40).optional() }),
    response: { 200: Product },
  },
});

/** spec §7.6: similar products in the hub, at most 8; `[]` without a session. */
export const listSuggestions = endpoint({
  method: "GET",
  url: "/products/:id/suggestions",
  schema: { params: IdOrSlugParams, response: { 200: z.array(Product) } },
});
