import { randomUUID } from "node:crypto";

import { type Db, sqlTransaction, transaction } from "../../../../prisma/src/client.ts";
import { insertOfflinePayment } from "../../../server/src/modules/payments/offline-store.ts";
import { insertPlan } from "../../../server/src/modules/week/sheets-store.ts";
import { freezeNextVersion } from "../../../server/src/modules/week/snapshot-sql.ts";
import {
  createCustomer,
  createHubNow,
  createOrder,
  createProduct,
  createVendor,
} from "../../../server/test/factories.ts";
import { newZip } from "./market.ts";

interface DayInput {
  /** First name of each shopper, with the number of items they ordered. */
  orders: readonly {
    name: string;
    quantity: number;
    notes?: string;
    /** Paid at the door, or its card was declined; default: paid with store credit. */
    pays?: "door" | "declined";
    /** Fetched at the market's pickup point. */
    isPickup?: boolean;
  }[];
  vendor: string;
  product: string;
  /** Of each of these vendors another shopper orders two of a product. */
  moreVendors?: readonly string[];
  /** Of the market; a unique one without it. */
  hubName?: string;
  /** Its orders are closed and frozen. */
  isClosed: boolean;
  /** Its sheets were made for so many drivers, who have equally many stops in the order of the orders. */
  drivers?: number;
}

/**
 * A hub with a vendor and orders for its next delivery, to doors of one ZIP code; paid with store credit. Only what sheets are made
 * of: the stock is not reduced and nothing is booked, so `audit` finds invariants broken in a market with such a day.
 */
export async function createDeliveryDay(
  db: Db,
  pepper: string,
  { orders, vendor, product, moreVendors = [], hubName, isClosed, drivers }: DayInput,
) {
  const zip = newZip();
  const hub = await createHubNow(db, { zips: [zip], ...(hubName !== undefined && { name: hubName }) });
  const { id: vendorId } = await createVendor(db, { name: vendor });
  const item = await createProduct(db, hub.id, { title: product, inventory: 500, vendorId });
  const wanted: (DayInput["orders"][number] & { item: typeof item })[] = orders.map((order) => ({ ...order, item }));
  for (const name of moreVendors) {
    const { id } = await createVendor(db, { name });
    const other = await createProduct(db, hub.id, { title: `Basket ${name.charAt(0)}`, inventory: 500, vendorId: id });
    wanted.push({ name: "Dana", quantity: 2, item: other });
  }
  const ids: number[] = [];
  const stops: number[] = [];
  for (const [place, order] of wanted.entries()) {
    const { name, quantity, notes = "", pays, isPickup = false, item: ordered } = order;
    const customer = await createCustomer(db, { hubId: hub.id, pepper, firstName: name });
    const { id, order_total_cents: paid } = await createOrder(db, {
      customerId: customer.id,
      hub,
      product: ordered,
      quantity,
      status: "open",
      createdAt: new Date(Date.now() + place),
    });
    const address = { address: `${place + 1} Main Street`, city: "Carmel", state: "IN", zipCode: zip };
    await db.order.update({
      where: { id },
      data: {
        address,
        credit_cents: pays === undefined ? paid : 0,
        delivery_notes: notes,
        charge_failed_at: pays === "declined" ? new Date() : null,
        ...(isPickup && { type: "pickup", pickup_point_id: hub.pickup_points[0]!.id }),
      },
    });
    if (pays === "door") {
      const payment = {
        id: randomUUID(),
        orderIds: [id],
        customerId: customer.id,
        dueCents: paid,
        state: "authorized",
      } as const;
      await transaction(db, (tx) => insertOfflinePayment(tx, payment, new Date()));
    }
    ids.push(id);
    if (!isPickup) stops.push(id);
  }
  const [delivery] = hub.deliveries;
  if (!delivery) throw new Error("the hub has no delivery");
  if (isClosed) await closeDay(db, delivery.id);
  if (isClosed && drivers !== undefined) {
    const routes = Array.from({ length: drivers }, (_, driver) =>
      stops.slice(Math.ceil((stops.length / drivers) * driver), Math.ceil((stops.length / drivers) * (driver + 1))),
    );
    const { id: snapshotId } = await db.snapshot.findFirstOrThrow({ where: { delivery_id: delivery.id } });
    await transaction(db, (tx) => insertPlan(tx, snapshotId, { drivers, routes }, new Date()));
  }
  return { hub: hub.slug, name: hub.name, hubId: hub.id, date: delivery.day.toISOString().slice(0, 10), orders: ids };
}

/** What the cutoff's run leaves, as if it were a minute ago: the first version, and the run as done. */
async function closeDay(db: Db, deliveryId: number): Promise<void> {
  const now = new Date();
  const before = new Date(now.getTime() - 60_000);
  // First: the server's own job finds no cutoff to run.
  await db.delivery_run.create({
    data: { delivery_id: deliveryId, step: "cutoff", state: "done", lease_until: now, started_at: now, done_at: now },
  });
  await db.delivery.update({
    where: { id: deliveryId },
    data: { auto_checkout_at: new Date(before.getTime() - 36 * 3_600_000), cutoff_at: before },
  });
  await db.order.updateMany({ where: { delivery_id: deliveryId }, data: { status: "pending" } });
  await sqlTransaction(db, (tx) => freezeNextVersion(tx, deliveryId, now));
}
