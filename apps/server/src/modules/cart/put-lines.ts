import type { CartLine } from "@marketday/contracts/cart";
import { type Conn, sqlTransaction, transaction } from "@marketday/db";
import { mergeLines } from "@marketday/domain/cart";
import { CART_QUANTITY_MAX } from "@marketday/domain/limits";
import { normaliseCode } from "@marketday/domain/promotion";

import { AppError } from "../../lib/app-error.ts";
import { nextDelivery } from "../hubs/deliveries.ts";
import type { Context } from "../identity/context.ts";
import { requireHub, requireShopper } from "../identity/guards.ts";
import { type CartOwner, findBundled, lockCart, type NewLine, type SeenCart, writeLines } from "./cart-sql.ts";
import { setDiscountCode } from "./discount-code-store.ts";
import { type CartView, loadCartView, loadPictured, viewCart } from "./load-view.ts";
import type { Capped } from "./serialize.ts";

export const ownerOf = (ctx: Context): CartOwner => {
  const shopper = requireShopper(ctx.actor);
  return shopper.type === "customer" ? { customerId: shopper.customerId } : { guestId: shopper.guestId };
};

/** 422: a cart holds no more lines (docs/product.md §17). */
export const cartFull = () => new AppError(422, "Your cart is full. Remove something first.", { code: "cart_full" });

/**
 * Sets the quantities of these lines and leaves the others alone (docs/product.md §6). The same line twice is summed. One line
 * that is not sold in the hub refuses the whole request: 422 `not_sold`; so do more lines than a cart holds: 422 `cart_full`, and
 * an order of the cart since it was `seen`: 409 `cart_ordered`. A
 * quantity above the stock is capped and listed in `capped`; a sold-out line is kept as watched. What the hub sells is cached, so it
 * may be some milliseconds old; the checkout reads it again.
 */
export async function putLines(
  ctx: Context,
  lines: readonly CartLine[],
  seen: SeenCart = null,
): Promise<{ cart: CartView; capped: Capped[] }> {
  const { deps, now } = ctx;
  const owner = ownerOf(ctx);
  const hubId = requireHub(ctx.actor);
  const wanted = mergeLines(lines.map((line) => ({ ...line, bundleId: line.fromBundleId ?? null })));
  const bundleIds = wanted.flatMap((line) => line.bundleId ?? []);
  const [next, pictured, bundled] = await Promise.all([
    nextDelivery(deps, hubId, now),
    loadPictured(
      deps,
      hubId,
      wanted.map((line) => line.variantId),
    ),
    bundleIds.length === 0 ? new Set<string>() : findBundled(deps.db, hubId, bundleIds),
  ]);
  const refused: number[] = [];
  const capped: Capped[] = [];
  const toWrite = wanted.map(({ productId, variantId, bundleId, quantity }): NewLine => {
    const offered = pictured.get(variantId);
    const left = offered?.inventory ?? 0;
    const isSold = offered?.is_published === true && offered.product_id === productId;
    if (quantity > 0 && !(isSold && (bundleId === null || bundled.has(`${bundleId} ${variantId}`))))
      refused.push(variantId);
    const atMost = Math.min(quantity, CART_QUANTITY_MAX);
    if (atMost > left) capped.push({ variant_id: variantId, wanted: atMost, left });
    return {
      variantId,
      bundleId,
      quantity: left > 0 ? Math.min(atMost, left) : atMost,
      watching: left === 0,
      seenPriceCents: offered?.sale_price_cents ?? offered?.price_cents ?? null,
    };
  });
  if (refused.length > 0)
    throw new AppError(422, "This market does not sell one of these items.", { code: "not_sold", items: refused });
  const write = (conn: Conn) => writeLines(conn, owner, toWrite, { hubId, deliveryId: next?.id ?? null }, seen, now);
  let result = await write(deps.db);
  if (result.is_superseded)
    result = await sqlTransaction(deps.db, async (tx) => {
      await lockCart(tx, owner, now);
      return write(tx);
    });
  if (result.ordered_version !== null)
    throw new AppError(409, "Your last cart was ordered.", { code: "cart_ordered", revision: result.ordered_version });
  if (result.is_full) throw cartFull();
  return { cart: await viewCart(deps, owner, result.cart, hubId, now), capped };
}

/** Sets the cart's discount code, or removes it with null (docs/product.md §6). Unknown: 422 `bad_code`; the old code stays. */
export async function setDiscount(ctx: Context, code: string | null): Promise<CartView> {
  const owner = ownerOf(ctx);
  const hubId = requireHub(ctx.actor);
  await transaction(ctx.deps.db, async (tx) => {
    const { id } = await lockCart(tx, owner, ctx.now);
    const found = await setDiscountCode(tx, id, code === null || code === "" ? null : normaliseCode(code));
    if (!found) throw new AppError(422, "There is no such code.", { code: "bad_code", field: "code" });
  });
  return loadCartView(ctx.deps, owner, hubId, ctx.now);
}
