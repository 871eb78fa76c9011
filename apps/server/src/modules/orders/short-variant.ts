import { transaction, type Tx } from "@marketday/db";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { lineName } from "@marketday/domain/cart";
import { findItems } from "@marketday/domain/item-ref";
import { type LedgerEntry, subtractEntries } from "@marketday/domain/ledger";
import { isSameName } from "@marketday/domain/names";
import { shareOut } from "@marketday/domain/stock";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { fetchCharges } from "../payments/charge-order.ts";
import { syncMovedMoney } from "../payments/fetch-moved-money.ts";
import { findBoxOrders } from "./box-store.ts";
import { findFrozenTotals } from "./find-frozen-totals.ts";
import { withBatchDryRun } from "./for-each-order.ts";
import { type MoneyBack, sumMoney } from "./refund-paid.ts";
import { quoteShort, type RecordedShort, recordShort, settleShort, type ShortInput } from "./short-order.ts";
import { type DayItem, type DemandRow, findDayItems, findDemand, lockDemand } from "./short-variant-sql.ts";
import { findOrdersForSupport, type OrderForSupport } from "./support-sql.ts";
import { findVendorChanges } from "./vendor-change-sql.ts";
import { mailVendorChanges } from "./vendor-changes.ts";

/** A shortage of one variant on a delivery day: `came` of `of` units arrived. */
export interface ShortCount {
  /** Slug or id. */
  hub: string;
  /** YYYY-MM-DD */
  day: string;
  /** Slug or name; null: of any vendor. */
  vendor: string | null;
  /** Variant id, or title as printed. */
  item: string;
  came: number;
  /** Units ordered, according to any version of the sheets. */
  of: number;
  /** What each box gets, by the id of its first order; by default what `shareOut` gives. Their sum is what came. */
  gets?: ReadonlyMap<number, number>;
  /** `of` is what is ordered now: an older version of the sheets does not count. */
  isOfNow?: boolean;
  /** Units ordered by box, which must still be so when the first box is lowered. */
  demand?: ReadonlyMap<number, number>;
  /** Its first box was lowered before: the others are lowered too, whatever is ordered now. */
  isBegun?: boolean;
}

/** The variant of a shortage, found. */
export interface ShortItem {
  deliveryId: number;
  variantId: number;
  title: string;
  /** Of the market. */
  timeZone: string;
}

/** What is done besides lowering the boxes. */
export interface ShortHooks {
  /** Before anything is checked. @throws AppError to refuse it */
  check?(item: ShortItem): Promise<void>;
  /** In the transaction that lowers the first box. @throws AppError to refuse it */
  begin?(tx: Tx, item: ShortItem): Promise<void>;
  /**
   * After the first box: a box that cannot be lowered is left as it is, and the next one is lowered. Without it, and for an order that is
   * being charged, the error is thrown.
   * @param problem the box and why
   */
  leave?(problem: string): void;
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

/** What a shortage does, found by a dry run. */
export interface VariantShortPlan extends VariantShort {
  /** What every box gets, also those that lose nothing; oldest first. */
  shares: { boxId: number; ordered: number; gets: number }[];
  /** The change of the sales by account, and what the market bears of it. */
  entries: LedgerEntry[];
  /** Emails to customers, and to vendors. */
  mails: number;
  vendorMails: number;
}

interface BoxDemand {
  boxId: number;
  tote: number | null;
  orderIds: number[];
  ordered: number;
}

/** 404: the variant is in no order of the day. */
export const noSuchItem = () => new AppError(404, "This item is not ordered for this day.", { code: "no_such_item" });

/** The item that matches a vendor's name and an item's name. @throws AppError 404 that lists the available names */
function itemOf(items: readonly DayItem[], { vendor, item }: ShortCount): DayItem {
  const vendorItems = items.filter(
    (each) => vendor === null || isSameName(each.vendorSlug, vendor) || isSameName(each.vendor, vendor),
  );
  if (vendorItems.length === 0 && vendor === null) throw noSuchItem();
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
  if (vendor === null) throw noSuchItem();
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
 * @throws AppError 409 `other_boxes` when a box is not in `gets`: its order came later, and once it is begun the box keeps its units
 */
function planLosses(
  boxes: readonly BoxDemand[],
  { came, gets, isBegun }: Pick<ShortCount, "came" | "gets" | "isBegun">,
): (BoxDemand & { gets: number })[] {
  const added = gets && !isBegun && boxes.find(({ boxId }) => !gets.has(boxId));
  if (added)
    throw new AppError(409, `${nameOf(added)} has come to this day since. Check the shares again.`, {
      code: "other_boxes",
    });
  const shares = gets
    ? boxes.map(({ boxId, ordered }) => gets.get(boxId) ?? ordered)
    : shareOut(
        came,
        boxes.map(({ ordered }) => ordered),
      );
  return boxes.map((box, index) => ({ ...box, gets: shares[index]! })).filter((box) => box.gets < box.ordered);
}

/** 409: shares were set for a box that does not have the item. */
export const notOfDay = (boxId: number) =>
  new AppError(409, `Order ${boxId} does not have this item on this day. Check the shares again.`, {
    code: "other_boxes",
  });

/** @throws AppError 409 `other_boxes` for a box that is not of the day; 422 `bad_shares` unless the boxes get what came, none more than it ordered */
function assertShares(boxes: readonly BoxDemand[], { came, of, gets, isBegun }: ShortCount): void {
  if (!gets || isBegun) return;
  const sum = [...gets.values()].reduce((total, units) => total + units, 0);
  const shared = Math.min(came, of);
  if (sum !== shared)
    throw new AppError(422, `The boxes get ${sum}, but ${shared} can be shared out. Nothing was done.`, {
      code: "bad_shares",
    });
  // After a part was taken off, a box may have less than it had when this was counted, or nothing.
  if (orderedIn(boxes) !== of) return;
  const other = [...gets.keys()].find((id) => boxes.every(({ boxId }) => boxId !== id));
  if (other !== undefined) throw notOfDay(other);
  const over = boxes.find(({ boxId, ordered }) => (gets.get(boxId) ?? 0) > ordered);
  if (over)
    throw new AppError(422, `${nameOf(over)} ordered ${over.ordered}, and cannot get more. Nothing was done.`, {
      code: "bad_shares",
    });
}

const nameOf = ({ tote, orderIds }: Pick<BoxDemand, "tote" | "orderIds">): string =>
  tote === null ? `Order ${orderIds.join(", ")}` : `Tote ${tote} (order ${orderIds.join(", ")})`;

/** @throws AppError 409 `other_count` with `ordered` unless the boxes have what they had when the shares were set */
function assertDemand(boxes: readonly BoxDemand[], title: string, { of, demand }: ShortCount): void {
  if (!demand) return;
  const ordered = orderedIn(boxes);
  if (ordered !== of) throw otherCount(title, ordered, of);
  const changed = boxes.find(({ boxId, ordered: units }) => demand.get(boxId) !== units);
  if (changed)
    throw new AppError(
      409,
      `${nameOf(changed)} has ${changed.ordered} of ${title} now, not ${demand.get(changed.boxId) ?? 0}. Nothing was done.`,
      { code: "other_count", ordered },
    );
}

const orderedIn = (boxes: readonly BoxDemand[]): number => boxes.reduce((sum, box) => sum + box.ordered, 0);

/** 409: another number is ordered than was counted. */
export const otherCount = (title: string, ordered: number, of: number) =>
  new AppError(409, `${ordered} of ${title} are ordered, not ${of}. Nothing was done.`, {
    code: "other_count",
    ordered,
  });

/** 409: a shortage is recorded after the cutoff. */
export const stillOpen = (hub: { name: string; timeZone: string }, day: string, now: Date) =>
  new AppError(
    409,
    `Orders of ${hub.name} for ${formatLong(calendarDate(day), dateInZone(now, hub.timeZone))} are not closed yet. A shortage is recorded after the cutoff.`,
    { code: "still_open" },
  );

/** Finds the item, its boxes and their losses. @throws AppError as `shortVariant` */
async function prepare(ctx: Context, count: ShortCount, hooks: ShortHooks) {
  const { db } = ctx.deps;
  const { hub, delivery } = await deliveryOf(ctx, count.hub, count.day);
  const found = itemOf(await findDayItems(db, delivery.id), count);
  const { variantId, vendor } = found;
  const title = lineName(found.product, found.variant);
  const item: ShortItem = { deliveryId: delivery.id, variantId, title, timeZone: hub.time_zone };
  await hooks.check?.(item);
  const totals = await findFrozenTotals(db, delivery.id, variantId);
  if (totals.length === 0) throw stillOpen({ name: hub.name, timeZone: hub.time_zone }, count.day, ctx.now);
  const boxes = boxesOf(await findDemand(db, delivery.id, variantId));
  const ordered = orderedIn(boxes);
  if (!count.isBegun) {
    const isOlder = !count.isOfNow && totals.includes(count.of);
    if (ordered !== count.of && !isOlder) throw otherCount(title, ordered, count.of);
    assertDemand(boxes, title, count);
  }
  assertShares(boxes, count);
  const summary = { hub: hub.slug, variantId, title, vendor, ordered, came: count.came };
  return { item, boxes, summary, plan: planLosses(boxes, count) };
}

/**
 * Distributes a shortage of one variant over a delivery day's boxes (docs/product.md §14 `short`): `shareOut` allocates the
 * units that arrived, and `recordShort` takes the rest off, with refund and email. All boxes are checked first; if any is
 * refused, nothing changes and the error lists every refused box; what is begun (`isBegun`) is not checked again. Each box is then lowered in a separate transaction that
 * recalculates the shares with all orders locked, so a count that is repeated, resumed after a crash, or recorded by two
 * people at once takes each unit off once. Writes one audit entry for the day (`delivery:ID`) and one per order.
 * @throws AppError 404 `no_such_vendor`, `no_such_item`; 409 `still_open` before the sheets are frozen, `other_count` when
 * `of` matches neither the orders nor any version of the sheets, `refused` with every order that cannot be lowered, `still_charging` when these are all being charged; 422 `bad_shares`
 */
export async function shortVariant(
  ctx: Context,
  count: ShortCount,
  input: ShortInput,
  hooks: ShortHooks = {},
): Promise<VariantShort> {
  const { item, summary, plan } = await prepare(ctx, count, hooks);
  if (!input.dryRun && plan.length > 0) {
    for (const id of plan.flatMap(({ orderIds }) => orderIds)) await fetchCharges(ctx, id);
    await syncMovedMoney(ctx);
  }
  const checked = count.isBegun ? [] : (await checkAll(ctx, plan, item, input)).boxes;
  if (!input.dryRun) await ctx.deps.failpoint("short:checked");
  const done = input.dryRun ? checked : await applyAll(ctx, item, { ...count, ...summary }, input, hooks);
  return { ...summary, boxes: done, ...sumMoney(done) };
}

/** What `shortVariant` would do, with the share of every box; nothing is changed. @throws AppError as `shortVariant` */
export async function planVariantShort(ctx: Context, count: ShortCount, input: ShortInput): Promise<VariantShortPlan> {
  const { item, boxes, summary, plan } = await prepare(ctx, count, {});
  const { boxes: losses, ...effects } = await checkAll(ctx, plan, item, input, await findLoneOrders(ctx, plan));
  const gets = new Map(plan.map((box) => [box.boxId, box.gets]));
  return {
    ...summary,
    boxes: losses,
    ...sumMoney(losses),
    ...effects,
    shares: boxes.map(({ boxId, ordered }) => ({ boxId, ordered, gets: gets.get(boxId) ?? ordered })),
  };
}

/**
 * The orders that are the only one of a box of a plan and of their charge, by box. What a shortage of them costs is calculated without
 * writing it, so that a plan of a whole day is there at once; other boxes are lowered in a dry run, order by order.
 */
async function findLoneOrders(ctx: Context, plan: readonly BoxDemand[]): Promise<Map<number, OrderForSupport>> {
  const { db } = ctx.deps;
  const boxIds = plan.map(({ boxId }) => boxId);
  const live = (await findBoxOrders(db, boxIds)).filter(({ status }) => status !== "cancelled");
  const orders = await findOrdersForSupport(
    db,
    [...Map.groupBy(live, ({ box_id: boxId }) => boxId).values()].flatMap((box) =>
      box.length === 1 ? [box[0]!.id] : [],
    ),
  );
  const byCharge = Map.groupBy(orders, ({ id, payment_id: paymentId }) => paymentId ?? id);
  return new Map([...byCharge.values()].flatMap((all) => (all.length === 1 ? [[all[0]!.id, all[0]!] as const] : [])));
}

/** The losses of a plan and what else they do, found by a dry run. @throws AppError 409 `refused`, `still_charging` as `shortVariant` */
async function checkAll(
  ctx: Context,
  plan: readonly (BoxDemand & { gets: number })[],
  { deliveryId, variantId }: ShortItem,
  input: ShortInput,
  lone: ReadonlyMap<number, OrderForSupport> = new Map(),
) {
  const refused: string[] = [];
  let isCharging = true;
  const checked = await withBatchDryRun(ctx.deps.db, true, async (tx) => {
    const boxes: BoxLoss[] = [];
    const entries: LedgerEntry[] = [];
    let mails = 0;
    for (const { ordered, gets, ...box } of plan)
      try {
        const missing = { variantId, quantity: ordered - gets };
        const order = lone.get(box.boxId);
        const recorded = order
          ? { ...quoteShort(order, missing, input), items: [{ orderId: order.id }] }
          : await recordShort(ctx, tx, box.orderIds, [missing], input);
        entries.push(...recorded.entries);
        mails += new Set(recorded.items.map(({ orderId }) => orderId)).size;
        boxes.push({ ...box, ordered, gets, ...sumMoney([recorded]) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.push(`${nameOf(box)}: ${error.message}`);
        isCharging &&= error.details.code === "still_charging";
      }
    const quantity = plan.reduce((sum, { ordered, gets }) => sum + ordered - gets, 0);
    const vendors = quantity > 0 ? await findVendorChanges(tx, deliveryId, [{ variantId, quantity }], ctx.now) : [];
    return {
      boxes,
      entries: subtractEntries(entries, []),
      mails,
      vendorMails: vendors.length,
    };
  });
  if (refused.length > 0)
    throw new AppError(409, `${refused.join("\n")}\nNothing was done.`, {
      code: isCharging ? "still_charging" : "refused",
      refused,
    });
  return checked;
}

/** Lowers one box after another until the orders have no more units than arrived. */
async function applyAll(
  ctx: Context,
  item: ShortItem,
  count: Omit<ShortCount, "vendor"> & Pick<VariantShort, "vendor">,
  input: ShortInput,
  hooks: ShortHooks,
): Promise<BoxLoss[]> {
  const { deliveryId, variantId, title } = item;
  const { vendor, came } = count;
  const losses: BoxLoss[] = [];
  const left = new Set<number>();
  let tried: BoxDemand | null = null;
  // What is begun has its audit entry and its email to the vendor, which counts the units of all its boxes.
  const hasBegun = (): boolean => losses.length > 0 || (count.isBegun ?? false);

  const lowerNext = (): Promise<{ recorded: RecordedShort; loss: BoxLoss } | null> =>
    transaction(ctx.deps.db, async (tx) => {
      await lockDemand(tx, deliveryId, variantId);
      const demand = boxesOf(await findDemand(tx, deliveryId, variantId));
      const isFirst = !hasBegun();
      if (isFirst) assertDemand(demand, title, count);
      const plan = planLosses(demand, { ...count, isBegun: !isFirst });
      const next = plan.find(({ boxId }) => !left.has(boxId)) ?? null;
      tried = next;
      if (!next) return null;
      if (isFirst) await hooks.begin?.(tx, item);
      if (isFirst)
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
      if (isFirst) {
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
  /** Leaves the box that was tried as it is. @throws the error when it is not one of that box, or the box can be lowered later */
  const leaveTried = (error: unknown): null => {
    const isOfBox = error instanceof AppError && error.status < 500 && error.details.code !== "still_charging";
    if (!isOfBox || !hooks.leave || !hasBegun() || !tried) throw error;
    left.add(tried.boxId);
    hooks.leave(`${nameOf(tried)}: ${error.message}`);
    return null;
  };

  for (;;) {
    const done = await lowerNext().catch(leaveTried);
    if (done) {
      losses.push(done.loss);
      await settleShort(ctx, done.recorded);
    } else if (!tried) return losses;
  }
}
