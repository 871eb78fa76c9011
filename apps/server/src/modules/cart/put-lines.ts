import type { CartLine } from "@marketday/contracts/cart";
import { sqlTransaction } from "@marketday/db";
import { mergeLines } from "@marketday/domain/cart";
import { CART_QUANTITY_MAX } from "@marketday/domain/limits";
import { normaliseCode } from "@marketday/domain/promotion";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { requireHub, requireShopper } from "../../plugins/session.ts";
import { type CartView, loadCartView } from "./load-view.ts";
import type { Capped } from "./serialize.ts";
import { type CartOwner, lockCart, writeLines, setDiscountCode } from "./store.ts";

export const ownerOf = (ctx: Context): CartOwner => {
  const shopper = requireShopper(ctx.actor);
  return shopper.type === "customer" ? { customerId: shopper.customerId } : { guestId: shopper.guestId };
};

/** 422: a cart holds no more lines (docs/product.md §17). */
export const cartFull = () => new AppError(422, "Your cart is full. Remove something first.", { code: "cart_full" });

/**
 * Sets the quantities of these lines and leaves the others alone (docs/product.md §6). The same line twice is summed. One line
 * that is not sold in the hub refuses the whole request: 422 `not_sold`; so do more lines than a cart holds: 422 `cart_full`. A
 * quantity above the stock is capped and listed in `capped`.
 */
export async function putLines(
  ctx: Context,
  lines: readonly CartLine[],
): Promise<{ cart: CartView; capped: Capped[] }> {
  const { deps, now } = ctx;
  const owner = ownerOf(ctx);
  const hubId = requireHub(ctx.actor);
  const wanted = mergeLines(
    lines.map((line) => ({
      productId: line.productId,
      variantId: line.variantId,
      bundleId: line.fromBundleId ?? null,
      quantity: line.quantity,
      watching: line.watching ?? false,
      subscriptionInterval: null,
    })),
  ).map((line) => ({ ...line, quantity: Math.min(line.quantity, CART_QUANTITY_MAX) }));
  let result = await writeLines(deps.db, owner, hubId, wanted, now);
  if (result.is_superseded)
    result = await sqlTransaction(deps.db, async (tx) => {
      await lockCart(tx, owner, now);
      return writeLines(tx, owner, hubId, wanted, now);
    });
  const { refused, capped } = result;
  if (refused.length > 0)
    throw new AppError(422, "This market does not sell one of these items.", { code: "not_sold", items: refused });
  if (result.is_full) throw cartFull();
  return { cart: await loadCartView(deps, owner, hubId, now), capped };
}

/** Sets the cart's discount code, or removes it with null (docs/product.md §6). Unknown: 422 `bad_code`; the old code stays. */
export async function setDiscount(ctx: Context, code: string | null): Promise<CartView> {
  const owner = ownerOf(ctx);
  const hubId = requireHub(ctx.actor);
  await sqlTransaction(ctx.deps.db, async (tx) => {
    const { id } = await lockCart(tx, owner, ctx.now);
    const found = await setDiscountCode(tx, id, code === null || code === "" ? null : normaliseCode(code));
    if (!found) throw new AppError(422, "There is no such code.", { code: "bad_code", field: "code" });
  });
  return loadCartView(ctx.deps, owner, hubId, ctx.now);
}
