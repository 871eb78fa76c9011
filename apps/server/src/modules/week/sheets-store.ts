import type { Client, Prisma, Tx } from "@marketday/db";
import type { RoutePlan } from "@marketday/domain/sheets";

/** Every version of a day with the routes of its sheets, oldest first. */
export async function findSnapshots(db: Client, deliveryId: number) {
  const versions = await db.snapshot.findMany({
    where: { delivery_id: deliveryId, is_complete: true },
    select: {
      id: true,
      version: true,
      hub_name: true,
      time_zone: true,
      cutoff_at: true,
      frozen_at: true,
      route_plan: { select: { drivers: true, routes: true } },
    },
    orderBy: { version: "asc" },
  });
  return versions.map(({ route_plan: plan, ...version }) => ({ ...version, plan: plan as RoutePlan | null }));
}

/** Writes the routes of a version's sheets. The day must be locked, and the version must have none. */
export const insertPlan = (tx: Tx, snapshotId: number, { drivers, routes }: RoutePlan, now: Date) =>
  tx.route_plan.create({
    data: { snapshot_id: snapshotId, drivers, routes, planned_at: now },
  });

const shownBox = {
  order_id: true,
  tote: true,
  name: true,
  phone: true,
  address: true,
  pickup: true,
  delivery_notes: true,
  due_cents: true,
} satisfies Prisma.snapshot_boxSelect;
export type BoxRow = Prisma.snapshot_boxGetPayload<{ select: typeof shownBox }>;

/** The boxes of one version, by tote. */
export const findBoxes = (db: Client, snapshotId: number): Promise<BoxRow[]> =>
  db.snapshot_box.findMany({ where: { snapshot_id: snapshotId }, select: shownBox, orderBy: { tote: "asc" } });

const shownLine = {
  box_order_id: true,
  order_item_id: true,
  vendor_id: true,
  vendor_name: true,
  variant_id: true,
  product_title: true,
  variant_title: true,
  unit: true,
  storage: true,
  bundle_title: true,
  quantity: true,
} satisfies Prisma.snapshot_lineSelect;
export type LineRow = Prisma.snapshot_lineGetPayload<{ select: typeof shownLine }>;

/** The lines of one version, by box and line. */
export const findLines = (db: Client, snapshotId: number): Promise<LineRow[]> =>
  db.snapshot_line.findMany({
    where: { snapshot_id: snapshotId },
    select: shownLine,
    orderBy: [{ box_order_id: "asc" }, { order_item_id: "asc" }],
  });
