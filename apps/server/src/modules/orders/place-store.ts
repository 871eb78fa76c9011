import { type Client, Prisma, type Tx } from "@marketday/db";

/** Where an order goes, as it is stored. */
export interface StoredPlace {
  type: "delivery" | "pickup";
  pickup_point_id: number | null;
  /** `StoredAddress` */
  address: Prisma.JsonValue;
}

/** The live orders of a box with where they go, the first order first. */
export const findPlaces = (db: Client, boxId: number) =>
  db.order.findMany({
    where: { OR: [{ id: boxId }, { add_on_to_id: boxId }], status: { not: "cancelled" } },
    select: {
      id: true,
      type: true,
      address: true,
      pickup_point_id: true,
      delivery_fee_cents: true,
      pickup_point: { select: { name: true } },
    },
    orderBy: [{ add_on_to_id: { sort: "asc", nulls: "first" } }, { id: "asc" }],
  });

/** The live orders of these boxes with where they go, by box. */
export async function findPlacesOfBoxes(db: Client, boxIds: readonly number[]) {
  const ids = [...boxIds];
  const orders = await db.order.findMany({
    where: { OR: [{ id: { in: ids } }, { add_on_to_id: { in: ids } }], status: { not: "cancelled" } },
    select: { id: true, add_on_to_id: true, type: true, address: true, pickup_point_id: true },
  });
  return Map.groupBy(orders, ({ id, add_on_to_id: boxId }) => boxId ?? id);
}

/** Writes where these orders go. */
export const writePlace = (tx: Tx, orderIds: readonly number[], { type, pickup_point_id, address }: StoredPlace) =>
  tx.order.updateMany({
    where: { id: { in: [...orderIds] } },
    data: { type, pickup_point_id, address: address ?? Prisma.DbNull },
  });

/** A pickup point of a hub; null: it is unknown, or another hub's. */
export const findPoint = (db: Client, id: number, hubId: number) =>
  db.pickup_point.findUnique({
    where: { id, hub_id: hubId },
    select: { id: true, name: true, is_active: true },
  });

/** A pickup point of any hub, with its hub; null: it is unknown. */
export const findPointAnywhere = (db: Client, id: number) =>
  db.pickup_point.findUnique({
    where: { id },
    select: { id: true, name: true, is_active: true, hub: { select: { id: true, name: true } } },
  });

/** The open pickup points of a hub, by name. */
export const findOpenPoints = (db: Client, hubId: number) =>
  db.pickup_point.findMany({
    where: { hub_id: hubId, is_active: true },
    select: { id: true, name: true, address: true, city: true, hours: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });

/** Where a customer lives, as far as it is known. */
export const findPerson = (db: Client, customerId: number) =>
  db.customer.findUnique({ where: { id: customerId }, select: { zip_code: true, lat: true, lng: true } });

/** Whether the sheets of a delivery day were made. */
export const hasSheets = async (db: Client, deliveryId: number): Promise<boolean> =>
  (await db.route_plan.count({ where: { snapshot: { delivery_id: deliveryId } } })) > 0;
