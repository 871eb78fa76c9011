import { transaction, type Tx } from "@marketday/db";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { findShareBoxes, type ShortDayRow } from "./day-items-sql.ts";
import { countedSince, held } from "./held-error.ts";
import { limitSales } from "./limit-sales-sql.ts";
import { assertShort, type ItemCount, sharesOf } from "./plan-short.ts";
import { type DayKey, getShortDay, itemOf, titleOf } from "./read-shorts.ts";
import { lockShortage } from "./shortage-sql.ts";
import {
  countColumns,
  type CountValues,
  findOpenShortage,
  findShortage,
  findTitle,
  insertShortage,
  type ShortageRow,
  updateShortage,
  valuesOf,
} from "./store.ts";

/** Whether two counts are the same. Boxes are numbers, which an object has in ascending order. */
const isSame = (one: CountValues, other: CountValues): boolean => keyOf(one) === keyOf(other);
const keyOf = ({ came, of, gets, refundTo, bearer, reason }: CountValues): string =>
  JSON.stringify([came, of, gets, refundTo, bearer, reason]);

/** The count of an item that is not settled, locked; null: none. */
async function lockOpen(tx: Tx, deliveryId: number, variantId: number): Promise<ShortageRow | null> {
  const found = await findOpenShortage(tx, deliveryId, variantId);
  if (!found) return null;
  await lockShortage(tx, found.id);
  // Read again: it may have been settled or removed while this waited.
  return findOpenShortage(tx, deliveryId, variantId);
}

/** Who counts: a person of the staff, or the vendor by the link of the day's list. */
const counterOf = ({ actor }: Context) =>
  actor.type === "vendor"
    ? { counted_by: actor.name, by_vendor: true }
    : { counted_by: requireStaff(actor).name, by_vendor: false };

/** A count, and the version of the one that it changes; null: a new one. */
type Count = ItemCount & { expectedVersion: number | null };

/**
 * Stores how many of an item came, or changes that (docs/product.md §14 `short`). While the day takes orders, the offer sells no more
 * than that. The same count of the same person or vendor again changes nothing.
 * @throws AppError 404; 409 `other_count`, `other_boxes`, `conflict`, `held`; 422 `not_short`, `bad_shares`
 */
export async function countShort(ctx: Context, key: DayKey, count: Count): Promise<void> {
  const day = await getShortDay(ctx, key);
  await transaction(ctx.deps.db, (tx) => storeCount(tx, ctx, day, count));
}

/** `countShort` in a transaction. */
export async function storeCount(
  tx: Tx,
  ctx: Context,
  day: ShortDayRow,
  { expectedVersion, ...count }: Count,
): Promise<void> {
  const item = itemOf(day, count.variantId);
  assertShort(item, count);
  if (count.gets) sharesOf(await findShareBoxes(tx, day.id, count.variantId), count);
  const counter = counterOf(ctx);
  const open = await lockOpen(tx, day.id, count.variantId);
  if (open?.state === "held") throw held(open, { title: titleOf(item), timeZone: day.hub.timeZone });
  const isRepeated =
    open?.counted_by === counter.counted_by && open.by_vendor === counter.by_vendor && isSame(valuesOf(open), count);
  if (isRepeated) return;
  // A vendor changes no count of the market, which may have the same version as the one they saw.
  const isForeign = counter.by_vendor && open?.by_vendor === false;
  if ((open?.version ?? null) !== expectedVersion || isForeign) throw countedSince(titleOf(item));
  const columns = { ...countColumns(count), ...counter, counted_at: ctx.now };
  const id = open?.id ?? (await insertShortage(tx, { ...columns, delivery_id: day.id, variant_id: item.variantId }));
  if (id === null) throw countedSince(titleOf(item));
  const before = { units: open?.withheld ?? 0, mark: open?.stock_mark ?? null };
  // Orders of another day take its stock, and after the cutoff it is the next week's.
  const withheld = day.is_next
    ? await limitSales(tx, {
        ...limitOf(ctx, day, item.variantId),
        came: count.came,
        before,
        reason: `short count ${id}`,
      })
    : before;
  const stock = { withheld: withheld.units, stock_mark: withheld.mark };
  if (open) await updateShortage(tx, id, { ...columns, ...stock });
  else if (withheld.mark !== null) await tx.shortage.update({ where: { id }, data: stock, select: { id: true } });
  await writeAuditEntry(tx, ctx, {
    action: "short count",
    subject: `delivery:${day.id}`,
    reason: count.reason,
    data: {
      shortageId: id,
      variantId: item.variantId,
      title: titleOf(item),
      before: open && { came: open.came, of: open.of, withheld: open.withheld },
      after: { came: count.came, of: count.of, withheld: withheld.units },
    },
  });
}

const limitOf = ({ now }: Context, { id, hub }: ShortDayRow, variantId: number) => ({
  hubId: hub.id,
  deliveryId: id,
  variantId,
  now,
});

/** A shortage of a day, as the person saw it. */
export interface SeenShortage extends DayKey {
  id: number;
  expectedVersion: number;
}

/** A shortage of a day. @throws AppError 404 */
async function findOfDay(ctx: Context, { id, ...key }: SeenShortage) {
  const day = await getShortDay(ctx, key);
  const row = await findShortage(ctx.deps.db, id);
  if (row?.delivery_id !== day.id) throw notFound();
  return { day, row };
}

/** A shortage of a day with its item. @throws AppError 404, also when no order of the day has the item */
export async function getShortage(ctx: Context, seen: SeenShortage) {
  const { day, row } = await findOfDay(ctx, seen);
  return { day, row, item: itemOf(day, row.variant_id) };
}

/** @throws AppError 409 `held`; `conflict` when it was changed, settled or removed since */
export function assertSeen(row: ShortageRow, expectedVersion: number, item: { title: string; timeZone: string }): void {
  if (row.state === "held") throw held(row, item);
  if (row.state === "counted" && row.version === expectedVersion) return;
  if (row.state === "settled")
    throw new AppError(409, `${row.came} of ${row.of} ${item.title} was settled in the meantime.`, {
      code: "conflict",
    });
  throw countedSince(item.title);
}

/**
 * Removes a count that was not settled. Units that it took off sale go back, unless the stock was set since. Twice is once.
 * @throws AppError 404; 409 `conflict`, `held`
 */
export async function removeShort(ctx: Context, seen: SeenShortage): Promise<void> {
  const { day, row } = await findOfDay(ctx, seen);
  // No order of the day may have the item any more.
  const title = await findTitle(ctx.deps.db, row.variant_id);
  await transaction(ctx.deps.db, (tx) => removeCount(tx, ctx, day, { ...seen, title }));
}

/** `removeShort` of an item with this title, in a transaction. */
export async function removeCount(
  tx: Tx,
  ctx: Context,
  day: ShortDayRow,
  { id, expectedVersion, title }: Pick<SeenShortage, "id" | "expectedVersion"> & { title: string },
): Promise<void> {
  await lockShortage(tx, id);
  const row = (await findShortage(tx, id))!;
  if (row.state === "removed") return;
  assertSeen(row, expectedVersion, { title, timeZone: day.hub.timeZone });
  const before = { units: row.withheld, mark: row.stock_mark };
  const reason = `short count ${row.id} removed`;
  if (before.mark !== null) await limitSales(tx, { ...limitOf(ctx, day, row.variant_id), came: null, before, reason });
  await updateShortage(tx, row.id, { state: "removed", withheld: 0, stock_mark: null });
  await writeAuditEntry(tx, ctx, {
    action: "short remove",
    subject: `delivery:${day.id}`,
    reason: "",
    data: {
      shortageId: row.id,
      variantId: row.variant_id,
      title,
      came: row.came,
      of: row.of,
      withheld: row.withheld,
    },
  });
}
