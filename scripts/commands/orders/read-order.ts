import { AppError } from "@marketday/server/lib/app-error";
import { sha256 } from "@marketday/server/lib/tokens";
import type { Context } from "@marketday/server/modules/identity/context";
import { findWholeOrder, type OrderDetails } from "@marketday/server/modules/orders/find-whole-order";

/** 404 for a number without an order. */
export const noOrder = (id: number): AppError =>
  new AppError(404, `There is no order ${id}. \`./market orders list\` lists them; nothing was done.`, {
    code: "not_found",
  });

/** An order with its items, payment and manual operations. @throws AppError 404 */
export async function readOrder(ctx: Context, id: number): Promise<OrderDetails> {
  const order = await findWholeOrder(ctx.deps.db, id);
  if (!order) throw noOrder(id);
  return order;
}

/** An idempotency key: the same command line takes effect once. */
export const idempotencyKey = (...parts: readonly unknown[]): string =>
  `operator ${sha256(parts.map(String).join("\n")).slice(0, 32)}`;
