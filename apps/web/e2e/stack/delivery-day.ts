import { type Db, sqlTransaction } from "../../../../prisma/src/client.ts";
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
    /** Nothing was paid: it is to collect at the door. */
    isDue?: boolean;
  }[];
  vendor: string;
  product: string;
  /** Of the market; a unique one without it. */
  hubName?: string;
  /** Its orders are closed and frozen. */
  isClosed: boolean;
}

/**
 * A hub with one vendor and orders for its next delivery, to doors of one ZIP code; paid with store credit. Only what sheets are made
 * of: the stock is not reduced and nothing is booked, so `audit` finds invariants broken in a market with such a day.
 */
export async function createDeliveryDay(
  db: Db,
  pepper: string,
  { orders, vendor, product, hubName, isClosed }: DayInput,
) {
  const zip = newZip();
  const hub = await createHubNow(db, { zips: [zip], ...(hubName !== undefined && { name: hubName }) });
  const { id: vendorId } = await createVendor(db, { name: vendor });
  const item = await createProduct(db, hub.id, { title: product, inventory: 500, vendorId });
  const ids: number[] = [];
  for (const [place, { name, quantity, notes = "", isDue = false }] of orders.entries()) {
    const customer = await createCustomer(db, { hubId: hub.id, pepper, firstName: name });
    const { id, order_total_cents: paid } = await createOrder(db, {
      customerId: customer.id,
      hub,
      product: item,
      quantity,
      status: "open",
      createdAt: new Date(Date.now() + place),
    });
    const address = { address: `${place + 1} Main Street`, city: "Carmel", state: "IN", zipCode: zip };
    await db.order.update({ where: { id }, data: { address, credit_cents: isDue ? 0 : paid, delivery_notes: notes } });
    ids.push(id);
  }
  const [delivery] = hub.deliveries;
  if (!delivery) throw new Error("the hub has no delivery");
  if (isClosed) await closeDay(db, delivery.id);
  return { hub: hub.slug, name: hub.name, hubId: hub.id, date: delivery.day.toISOString().slice(0, 10), orders: ids };
}

/** What the cutoff's run leaves, as if it were a minute ago: the first version, and the run as done. */
async function closeDay(db: Db, deliveryId: number): Promise<void> {
  const now = new Date();
  const before = new Date(now.getTime() - 60_000);
  await db.delivery.update({
    where: { id: deliveryId },
    data: { auto_checkout_at: new Date(before.getTime() - 36 * 3_600_000), cutoff_at: before },
  });
  await db.delivery_run.create({
    data: { delivery_id: deliveryId, step: "cutoff", state: "done", lease_until: now, started_at: now, done_at: now },
  });
  await db.order.updateMany({ where: { delivery_id: deliveryId }, data: { status: "pending" } });
  await sqlTransaction(db, (tx) => freezeNextVersion(tx, deliveryId, now));
}
