import { sqlTransaction } from "@marketday/db";
import { normaliseCode } from "@marketday/domain/promotion";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { requireHub } from "../../plugins/session.ts";
import { type CartView, loadCartView } from "./load-view.ts";
import { ownerOf } from "./put-lines.ts";
import { lockCart, setDiscountCode } from "./store.ts";

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
