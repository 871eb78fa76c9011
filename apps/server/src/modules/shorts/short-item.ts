import { Prisma, type Tx } from "@marketday/db";

import type { Context } from "../identity/context.ts";
import type { ShortInput } from "../orders/short-order.ts";
import { type ShortCount, type ShortItem, shortVariant, type VariantShort } from "../orders/short-variant.ts";
import { held } from "./held-error.ts";
import { lockShortage } from "./shortage-sql.ts";
import { findOpenShortage, findShortages, insertShortage, updateShortage } from "./store.ts";

/** Whoever does it, for people. */
const nameOf = ({ actor }: Context): string =>
  actor.type === "staff" ? actor.name : actor.type === "operator" ? `${actor.name} (market short)` : "market short";

/**
 * Settles a shortage at once, as `shortVariant` (docs/product.md §14 `short`): a count of the item in the admin app is settled with it,
 * and without one it is listed there as settled. A count that is about to be settled there is refused, so that it is shared out once.
 * @throws AppError as `shortVariant`; 409 `held` with who settles it, and when
 */
export const shortItem = (ctx: Context, count: ShortCount, input: ShortInput): Promise<VariantShort> =>
  shortVariant(ctx, count, input, {
    async check(item) {
      const open = await findOpenShortage(ctx.deps.db, item.deliveryId, item.variantId);
      if (open?.state === "held") throw held(open, item);
    },
    begin: (tx, item) => writeSettled(ctx, tx, item, count, input),
  });

/** Writes that a count is settled, in the transaction that lowers its first box. @throws AppError 409 `held` */
async function writeSettled(ctx: Context, tx: Tx, item: ShortItem, { came, of }: ShortCount, input: ShortInput) {
  const { deliveryId, variantId } = item;
  const settled = {
    came,
    of,
    refund_to: input.to,
    bearer: input.bearer ?? "vendor",
    reason: input.reason,
    state: "settled",
    settled_by: nameOf(ctx),
    settled_at: ctx.now,
  };
  for (;;) {
    const found = await findOpenShortage(tx, deliveryId, variantId);
    if (!found) {
      // Repeated after it was stopped: its first part wrote it.
      const isWritten = (await findShortages(tx, deliveryId)).some(
        (row) => row.variant_id === variantId && row.came === came && row.of === of,
      );
      if (isWritten) return;
      const columns = { counted_by: settled.settled_by, counted_at: ctx.now };
      await insertShortage(tx, { ...settled, ...columns, delivery_id: deliveryId, variant_id: variantId });
      return;
    }
    await lockShortage(tx, found.id);
    // Read again: it may have been settled or removed while this waited.
    const open = await findOpenShortage(tx, deliveryId, variantId);
    if (open?.id !== found.id) continue;
    if (open.state === "held") throw held(open, item);
    await updateShortage(tx, open.id, { ...settled, gets: Prisma.DbNull, action_id: null });
    return;
  }
}
