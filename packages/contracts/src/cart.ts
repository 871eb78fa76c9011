import { DISCOUNT_CODE_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import { BodyId, CalendarDate, code, Id, Instant, Money, Picture } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { VendorRef } from "./products.ts";

/** spec §3 Banner; `action` is a path of ours or null. */
export const Banner = z
  .object({
    id: z.string(),
    type: z.enum(["information", "warning", "other"]),
    title: z.string(),
    body: z.string(),
    action: z.string().nullable(),
  })
  .meta({ id: "Banner" });
export type Banner = z.infer<typeof Banner>;

/** spec §3 Cart item. `price` is what one costs now; `size` as in `Variant`. */
export const CartItem = z
  .object({
    id: z.number().int(),
    quantity: z.number().int(),
    price: Money,
    subscription_interval: z.number().int().nullable(),
    /** A sold-out line that is watched and returns with the stock. */
    watching: z.boolean(),
    isPublished: z.boolean(),
    fromBundleId: z.number().int().nullable(),
    vendor: VendorRef,
    product: z.object({
      id: z.number().int(),
      slug: z.string(),
      title: z.string(),
      images: z.array(Picture),
      variant: z.object({
        id: z.number().int(),
        title: z.string(),
        size: z.string(),
        inventory: z.number().int(),
        price: Money,
        salePrice: Money.nullable(),
        preOrderDate: CalendarDate.nullable(),
      }),
    }),
    discount: z.object({ amount: Money, reason: z.string() }).nullable(),
  })
  .meta({ id: "CartItem" });
export type CartItem = z.infer<typeof CartItem>;

const CartDiscount = z.object({
  quantity: z.number().int(),
  code: z.string(),
  amount: Money,
  reason: z.string(),
  forCartItemId: z.number().int().nullable(),
});

/** spec §3 Cart response with docs/product.md §6. Watching and unpublished lines are not counted in the subtotals. */
export const Cart = z
  .object({
    /** The cart's own; null until something was put into it. Signing in may lead to another cart. */
    id: z.number().int().nullable(),
    /** Rises with every write to this cart: of two answers about one cart the higher is newer (docs/product.md §17). */
    revision: z.number().int(),
    items: z.array(CartItem),
    discounts: z.array(CartDiscount),
    banners: z.array(Banner),
    subtotal: Money,
    subtotalBeforeDiscounts: Money,
    deliveryDate: CalendarDate.nullable(),
    cutoff: Instant.nullable(),
    timeZone: z.string().nullable(),
    /**
     * The market that lines were chosen in, where it is not the shopper's own (docs/product.md §3 "Market of a session"); null: none.
     * `isUndecided`: the own market sells some of them too. A switch to either market decides.
     */
    otherMarket: z
      .object({
        id: z.number().int(),
        name: z.string(),
        ownName: z.string(),
        title: z.string(),
        body: z.string(),
        isUndecided: z.boolean(),
      })
      .nullish(),
  })
  .meta({ id: "Cart" });
export type Cart = z.infer<typeof Cart>;

/** One line of `PUT /cart`. Prices and totals are the server's; whatever else is sent is dropped. */
export const CartLine = z.object({
  productId: BodyId,
  variantId: BodyId,
  quantity: z.number().int().min(0).max(999),
  fromBundleId: BodyId.nullish(),
  watching: z.boolean().optional(),
});
export type CartLine = z.infer<typeof CartLine>;

/** spec §7.4; an empty cart without a session. */
export const getCart = endpoint({ method: "GET", url: "/cart", schema: { response: { 200: Cart } } });

/**
 * spec §7.4: sets these quantities (0 removes), leaves other lines alone, answers with the whole cart. One bad line
 * refuses all: 400 outside the contract, 422 `not_sold` with `items` for what this hub does not sell, 422 `cart_full` when
 * new lines do not fit. With what the shopper saw when they changed it (docs/product.md §17 "Requests"), all optional: 409
 * `other_customer` when the session is someone else's, 409 `cart_ordered` with `revision`, the one that the order left, when the
 * cart was ordered since.
 */
export const putCart = endpoint({
  method: "PUT",
  url: "/cart",
  schema: {
    querystring: z.object({
      /** `customerId` of the session. */
      customerId: z.string().max(40).optional(),
      /** The cart's id and revision. */
      cart: Id.optional(),
      revision: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
    }),
    body: z.array(CartLine).max(200),
    response: { 200: Cart },
  },
});

/** docs/product.md §6: `null` takes the code off. Bad: 422 `bad_code`; too many bad ones: 429 `code_limit`. */
export const putCartDiscount = endpoint({
  method: "PUT",
  url: "/cart/discount",
  schema: { body: z.object({ code: code(DISCOUNT_CODE_MAX).nullable() }), response: { 200: Cart } },
});

/** spec §7.8: the hub's banners; `[]` without a session. */
export const listBanners = endpoint({
  method: "GET",
  url: "/banners/",
  schema: { response: { 200: z.array(Banner) } },
});
