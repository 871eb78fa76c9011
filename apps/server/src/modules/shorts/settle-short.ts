import { transaction } from "@marketday/db";
import { cents, toDollars } from "@marketday/domain/money";

import type { Context } from "../identity/context.ts";
import { findDemand } from "../orders/short-variant-sql.ts";
import { otherCount, stillOpen } from "../orders/short-variant.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { assertSeen, getShortage, type SeenShortage } from "./count-short.ts";
import { planShort } from "./plan-short.ts";
import { titleOf } from "./read-shorts.ts";
import type { ShortActionInput } from "./short-kind.ts";
import { lockShortage } from "./shortage-sql.ts";
import { findShortage, updateShortage, valuesOf } from "./store.ts";

/** Money that leaves the market, to cards and as store credit, cents. */
export const leavingCents = (
  { backCents, creditCents }: { backCents: number; creditCents: number },
  to: "card" | "credit",
): number => (to === "card" ? backCents : 0) + creditCents;

/**
 * Settles a shortage in a minute: its action is held, and `shortVariant` does it with the shares as they are now (`shortKind`).
 * @throws AppError 404; 409 `conflict`, `held`, `still_open`, `refused`, `other_count`, `other_boxes`; 422 `not_short`, `bad_shares`
 */
export async function settleShort(ctx: Context, seen: SeenShortage): Promise<void> {
  const { db } = ctx.deps;
  const { day, row, item } = await getShortage(ctx, seen);
  const title = titleOf(item);
  const about = { title, timeZone: day.hub.timeZone };
  assertSeen(row, seen.expectedVersion, about);
  const values = valuesOf(row);
  const { short, boxes } = await planShort(ctx, seen, day, { ...values, variantId: row.variant_id });
  if (!short) throw stillOpen(day.hub, seen.date, ctx.now);
  await transaction(db, async (tx) => {
    await lockShortage(tx, row.id);
    assertSeen((await findShortage(tx, row.id))!, seen.expectedVersion, about);
    const demand = await findDemand(tx, day.id, row.variant_id);
    const ordered = demand.reduce((sum, { quantity }) => sum + quantity, 0);
    if (ordered !== row.of) throw otherCount(title, ordered, row.of);
    const input: ShortActionInput = {
      ...values,
      shortageId: row.id,
      variantId: row.variant_id,
      gets: Object.fromEntries(boxes.map(({ boxId, gets }) => [boxId, gets])),
      demand: Object.fromEntries(boxes.map((box) => [box.boxId, box.ordered])),
    };
    const actionId = await storeAction(tx, ctx, {
      hubId: day.hub.id,
      deliveryId: day.id,
      subject: `shortage:${row.id}`,
      input: { ...input },
      summary: {
        kind: "short",
        shortageId: row.id,
        title,
        came: row.came,
        of: row.of,
        boxes: short.boxes.length,
        back: toDollars(cents(leavingCents(short, values.refundTo))),
        mails: short.mails + short.vendorMails,
        refunds: short.boxes.filter((box) => leavingCents(box, values.refundTo) > 0).length,
      },
    });
    await updateShortage(tx, row.id, { state: "held", action_id: actionId, begun_at: null });
  });
}
