import { transaction } from "@marketday/db";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { lineName } from "@marketday/domain/cart";
import { findItems } from "@marketday/domain/item-ref";
import { isSameName } from "@marketday/domain/names";
import { shareOut } from "@marketday/domain/stock";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { fetchCharges } from "../payments/charge-order.ts";
import { syncMovedMoney } from "../payments/fetch-moved-money.ts";
import { findFrozenTotals } from "./find-frozen-totals.ts";
import { withBatchDryRun } from "./for-each-order.ts";
import { type MoneyBack, sumMoney } from "./refund-paid.ts";
import { recordShort, settleShort, type ShortInput } from "./short-order.ts";
import { type DayItem, type DemandRow, findDayItems, findDemand, lockDemand } from "./short-variant-sql.ts";
import { mailVendorChanges } from "./vendor-changes.ts";

/** A shortage of one variant on a delivery day: `came` of `of` units arrived. */
export interface ShortCount {
  /** Slug or id. */
  hub: string;
  /** YYYY-MM-DD */
  day: string;
  /** Slug or name. */
  vendor: string;
  /** Variant id, or title as printed. */
  item: string;
  came: number;
  /** Units ordered, according to any version of the sheets. */
  of: number;
  /** What each box gets, by the id of its first order; by default what `shareOut` gives. Their sum is what came. */
  gets?: ReadonlyMap<number, number>;
}

/** The units and money taken off one box. */
interface BoxLoss extends MoneyBack {
  /** The box's first order. */
  boxId: number;
  /** Null: the box is not on the day's sheets. */
  tote: number | null;
  orderIds: number[];
  ordered: number;
  gets: number;
}

/** The result for all boxes. `boxes` is empty when nothing changed, because no more is ordered than arrived. */
export interface VariantShort extends MoneyBack {
  hub: string;
  variantId: number;
  title: string;
  vendor: string;
  /** Units ordered before this shortage was recorded. */
  ordered: number;
  came: number;
  boxes: BoxLoss[];
}

interface BoxDemand {
  boxId: number;
  tote: number | null;
  orderIds: number[];
  ordered: number;
}

/** The item that matches a vendor's name and an item's name. @throws AppError 404 that lists the available names */
function itemOf(items: readonly DayItem[], { vendor, item }: ShortCount): DayItem {
  const vendorItems = items.filter((each) => isSameName(each.vendorSlug, vendor) || isSameName(each.vendor, vendor));
  if (vendorItems.length === 0) {
    const vendors = [...new Set(items.map(({ vendorSlug }) => vendorSlug))];
    throw new AppError(
      404,
      `Nothing of "${vendor}" is ordered for this day. ${vendors.length > 0 ? `Vendors of the day: ${vendors.join(", ")}.` : "There are no orders."}`,
      { code: "no_such_vendor" },
    );
  }
  const found = findItems(vendorItems, item);
  const [only] = found;
  if (only && found.length === 1) return only;
  const titles = (found.length > 0 ? found : vendorItems).map(
    ({ variantId, product, variant }) => `${lineName(product, variant)} (${variantId})`,
  );
  const problem = found.length > 0 ? `"${item}" may be more than one item` : `There is no "${item}"`;
  throw new AppError(404, `${problem} of ${vendorItems[0]!.vendor}: ${titles.join("; ")}.`, { code: "no_such_item" });
}

const boxesOf = (rows: readonly DemandRow[]): BoxDemand[] =>
  [...Map.groupBy(rows, ({ boxId }) => boxId)].map(([boxId, orders]) => ({
    boxId,
    tote: orders[0]!.tote,
    orderIds: orders.map(({ orderId }) => orderId),
    ordered: orders.reduce((sum, { quantity }) => sum + quantity, 0),
  }));

/**
 * The boxes that lose units, oldest first: by `gets`, else by the rule.
 * @throws AppError 409 `other_boxes` when a box is not in `gets`: its order came later
 */
function planLosses(
  boxes: readonly BoxDemand[],
  { came, gets }: Pick<ShortCount, "came" | "gets">,
): (BoxDemand & { gets: number })[] {
  const added = gets && boxes.find(({ boxId }) => !gets.has(boxId));
  if (added)
    throw new AppError(409, `${nameOf(added)} has come to this day since. Check the shares again.`, {
      code: "other_boxes",
    });
  const shares = gets
    ? boxes.map(({ boxId }) => gets.get(boxId)!)
    : shareOut(
        came,
        boxes.map(({ ordered }) => ordered),
      );
  return boxes.map((box, index) => ({ ...box, gets: shares[index]! })).filter((box) => box.gets < box.ordered);
}

/** @throws AppError 422 `bad_shares` unless the boxes get what came, none more than it ordered */
function assertShares(boxes: readonly BoxDemand[], { came, of, gets }: ShortCount): void {
  if (!gets) return;
  const sum = [...gets.values()].reduce((total, units) => total + units, 0);
  const shared = Math.min(came, of);
  if (sum !== shared)
    throw new AppError(422, `The boxes get ${sum}, but ${shared} can be shared out. Nothing was done.`, {
      code: "bad_shares",
    });
  // After a part was taken off, a box may have less than it had when this was counted.
  if (boxes.reduce((total, { ordered }) => total + ordered, 0) !== of) return;
  const over = boxes.find(({ boxId, ordered }) => (gets.get(boxId) ?? 0) > ordered);
  if (over)
    throw new AppError(422, `${nameOf(over)} ordered ${over.ordered}, and cannot get more. Nothing was done.`, {
      code: "bad_shares",
    });
}

const nameOf = ({ tote, orderIds }: Pick<BoxDemand, "tote" | "orderIds">): string =>
  tote === null ? `Order ${orderIds.join(", ")}` : `Tote ${tote} (order ${orderIds.join(", ")})`;

/**
 * Distributes a shortage of one variant over a delivery day's boxes (docs/product.md §14 `short`): `shareOut` allocates the
 * units that arrived, and `recordShort` takes the rest off, with refund and email. All boxes are checked first; if any is
 * refused, nothing changes and the error lists every refused box. Each box is then lowered in a separate transaction that
 * recalculates the shares with all orders locked, so a count that is repeated, resumed after a crash, or recorded by two
 * people at once takes each unit off once. Writes one audit entry for the day (`delivery:ID`) and one per order.
 * @throws AppError 404 `no_such_vendor`, `no_such_item`; 409 `still_open` before the sheets are frozen, `other_count` when
 * `of` matches neither the orders nor any version of the sheets, `refused` with every order that cannot be lowered
 */
export async function shortVariant(ctx: Context, count: ShortCount, input: ShortInput): Promise<VariantShort> {
  const { db } = ctx.deps;
  const { hub, delivery } = await deliveryOf(ctx, count.hub, count.day);
  const item = itemOf(await findDayItems(db, delivery.id), count);
  const { variantId } = item;
  const title = lineName(item.product, item.variant);
  const totals = await findFrozenTotals(db, delivery.id, variantId);
  if (totals.length === 0)
    throw new AppError(
      409,
      `Orders of ${hub.name} for ${formatLong(calendarDate(count.day), dateInZone(ctx.now, hub.time_zone))} are not closed yet. A shortage is recorded after the cutoff.`,
      { code: "still_open" },
    );
  const boxes = boxesOf(await findDemand(db, delivery.id, variantId));
  const ordered = boxes.reduce((sum, box) => sum + box.ordered, 0);
  const summary = { hub: hub.slug, variantId, title, vendor: item.vendor, ordered, came: count.came };
  if (ordered !== count.of && !totals.includes(count.of))
    throw new AppError(409, `${ordered} of ${title} are ordered, not ${count.of}. Nothing was done.`, {
      code: "other_count",
      ordered,
    });
  assertShares(boxes, count);
  const plan = planLosses(boxes, count);
  if (!input.dryRun && plan.length > 0) {
    for (const id of plan.flatMap(({ orderIds }) => orderIds)) await fetchCharges(ctx, id);
    await syncMovedMoney(ctx);
  }
  const checked = await checkAll(ctx, plan, variantId, input);
  const done = input.dryRun ? checked : await applyAll(ctx, delivery.id, { ...summary, ...count }, input);
  return {
    ...summary,
    boxes: done,
    ...sumMoney(done),
  };
}

/** The losses of a plan, calculated in a dry run. @throws AppError 409 `refused` with every order that cannot be lowered */
async function checkAll(
  ctx: Context,
  plan: readonly (BoxDemand & { gets: number })[],
  variantId: number,
  input: ShortInput,
): Promise<BoxLoss[]> {
  const refused: string[] = [];
  const losses = await withBatchDryRun(ctx.deps.db, true, async (tx) => {
    const boxes: BoxLoss[] = [];
    for (const { ordered, gets, ...box } of plan)
      try {
        const missing = [{ variantId, quantity: ordered - gets }];
        const recorded = await recordShort(ctx, tx, box.orderIds, missing, input);
        boxes.push({ ...box, ordered, gets, ...sumMoney([recorded]) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.push(`${nameOf(box)}: ${error.message}`);
      }
    return boxes;
  });
  if (refused.length > 0)
    throw new AppError(409, `${refused.join("\n")}\nNothing was done.`, { code: "refused", refused });
  return losses;
}

/** Lowers one box after another until the orders have no more units than arrived. */
async function applyAll(
  ctx: Context,
  deliveryId: number,
  item: Pick<VariantShort, "variantId" | "title" | "vendor" | "came"> & Pick<ShortCount, "gets">,
  input: ShortInput,
): Promise<BoxLoss[]> {
  const { variantId, title, vendor, came } = item;
  const losses: BoxLoss[] = [];
  for (;;) {
    const done = await transaction(ctx.deps.db, async (tx) => {
      await lockDemand(tx, deliveryId, variantId);
      const demand = boxesOf(await findDemand(tx, deliveryId, variantId));
      const plan = planLosses(demand, item);
      const [next] = plan;
      if (!next) return null;
      if (losses.length === 0)
        await writeAuditEntry(tx, ctx, {
          action: "short",
          subject: `delivery:${deliveryId}`,
          reason: input.reason,
          data: {
            variantId,
            title,
            vendor,
            bearer: input.bearer ?? "vendor",
            came,
            ordered: demand.reduce((sum, box) => sum + box.ordered, 0),
            boxes: plan.map(({ tote, orderIds, ordered, gets }) => ({ tote, orderIds, loses: ordered - gets })),
          },
        });
      const { ordered, gets, ...box } = next;
      const recorded = await recordShort(ctx, tx, box.orderIds, [{ variantId, quantity: ordered - gets }], input);
      if (losses.length === 0) {
        // One email per vendor for the whole shortage, including the units that the next transactions take off (`later`).
        const quantity = plan.reduce((sum, loss) => sum + loss.ordered - loss.gets, 0);
        const later = quantity - (ordered - gets);
        await mailVendorChanges(tx, deliveryId, [{ variantId, quantity, later }], ctx.now);
      }
      return {
        recorded,
        loss: { ...box, ordered, gets, ...sumMoney([recorded]) },
      };
    });
    if (!done) return losses;
    losses.push(done.loss);
    await settleShort(ctx, done.recorded);
  }
}
