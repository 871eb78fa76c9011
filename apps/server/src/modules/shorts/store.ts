import { type Client, Prisma, type Tx } from "@marketday/db";
import { lineName } from "@marketday/domain/cart";

import { shown as shownAction } from "../staff-actions/store.ts";

const shown = {
  id: true,
  delivery_id: true,
  variant_id: true,
  came: true,
  of: true,
  gets: true,
  refund_to: true,
  bearer: true,
  reason: true,
  state: true,
  version: true,
  action_id: true,
  begun_at: true,
  withheld: true,
  stock_mark: true,
  counted_by: true,
  counted_at: true,
  by_vendor: true,
  settled_by: true,
  settled_at: true,
  action: { select: shownAction },
} satisfies Prisma.shortageSelect;
/** A shortage with its action. */
export type ShortageRow = Prisma.shortageGetPayload<{ select: typeof shown }>;

/** Of a delivery day, without removed ones, newest first. */
export const findShortages = (db: Client, deliveryId: number): Promise<ShortageRow[]> =>
  db.shortage.findMany({
    where: { delivery_id: deliveryId, state: { not: "removed" } },
    select: shown,
    orderBy: { id: "desc" },
  });

export const findShortage = (db: Client, id: number): Promise<ShortageRow | null> =>
  db.shortage.findUnique({ where: { id }, select: shown });

/** The count of an item that is not settled; null: none. */
export const findOpenShortage = (db: Client, deliveryId: number, variantId: number): Promise<ShortageRow | null> =>
  db.shortage.findFirst({
    where: { delivery_id: deliveryId, variant_id: variantId, state: { in: ["counted", "held"] } },
    select: shown,
  });

/** The title of a variant as it is now: "Pasture Eggs, Dozen". */
export async function findTitle(db: Client, variantId: number): Promise<string> {
  const { title, product } = await db.variant.findUniqueOrThrow({
    where: { id: variantId },
    select: { title: true, product: { select: { title: true } } },
  });
  return lineName(product.title, title);
}

/** How many came, and what is to be done about the rest. */
export interface CountValues {
  came: number;
  of: number;
  /** Units by box; null: by the rule. */
  gets: Record<string, number> | null;
  refundTo: "card" | "credit";
  bearer: "vendor" | "market";
  reason: string;
}

/** The values as columns. */
export const countColumns = ({ came, of, gets, refundTo, bearer, reason }: CountValues) => ({
  came,
  of,
  gets: gets ?? Prisma.DbNull,
  refund_to: refundTo,
  bearer,
  reason,
});

/** The values of a shortage. */
export const valuesOf = (
  row: Omit<CountValues, "refundTo" | "gets" | "bearer"> & { gets: unknown; refund_to: string; bearer: string },
): CountValues => ({
  came: row.came,
  of: row.of,
  gets: row.gets as CountValues["gets"],
  // A check of the database holds them.
  refundTo: row.refund_to as CountValues["refundTo"],
  bearer: row.bearer as CountValues["bearer"],
  reason: row.reason,
});

/** Inserts a shortage. Null: the item has a count that is not settled. */
export async function insertShortage(tx: Tx, data: Prisma.shortageCreateManyInput): Promise<number | null> {
  const [row] = await tx.shortage.createManyAndReturn({ data: [data], skipDuplicates: true, select: { id: true } });
  return row?.id ?? null;
}

/** Changes a shortage, and raises its version. */
export const updateShortage = (tx: Tx, id: number, data: Prisma.shortageUncheckedUpdateInput) =>
  tx.shortage.update({ where: { id }, data: { ...data, version: { increment: 1 } }, select: { id: true } });

/** Changes the shortage that an action holds. False: it holds none any more. */
export async function updateHeldShortage(
  tx: Client | Tx,
  actionId: number,
  data: Prisma.shortageUncheckedUpdateManyInput,
): Promise<boolean> {
  const { count } = await tx.shortage.updateMany({
    where: { action_id: actionId, state: "held" },
    data: { ...data, version: { increment: 1 } },
  });
  return count === 1;
}
