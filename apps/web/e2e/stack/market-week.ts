import { setTimeout } from "node:timers/promises";

import { type Db, execute, sql } from "../../../../prisma/src/client.ts";
import { runAutoCheckouts } from "../../../server/src/jobs/auto-checkout.ts";
import { runWeek } from "../../../server/src/jobs/week.ts";
import type { Context } from "../../../server/src/modules/identity/context.ts";
import { chargeDueOrders } from "../../../server/src/modules/payments/charge-order.ts";
import { hasUncharged } from "../../../server/src/modules/payments/order-charge-sql.ts";
import { CARD_YEAR } from "../../../server/test/card-year.ts";
import { ADDRESS, cardRef, createHubNow, createVendor, GOOD_CARD } from "../../../server/test/factories.ts";
import { createNewProduct, newZip } from "./market.ts";
import type { MovingClock } from "./moving-clock.ts";

/** What subscribers get each week: `every` second, third … of them. Nothing is in stock before the week opens. */
const GOODS = [
  { vendor: "Cluck & Co.", title: "Speckled Eggs", priceCents: 700, every: 1 },
  { vendor: "Hearth & Rye", title: "Seeded Rye", priceCents: 850, every: 2 },
  { vendor: "White River Creamery", title: "Cream-top Milk", priceCents: 550, every: 3 },
  { vendor: "Salt Creek Orchard", title: "Winesap Apples", priceCents: 625, every: 5 },
];
/** Units in stock when a week opens. */
const REFILL = 1000;

/**
 * A hub before its week: `boxes` subscribers with automatic checkout and a saved card, who are sent what they subscribe to when the second
 * delivery day opens. The first has no orders.
 */
export async function createMarketWeek(
  { db, hubIsOpen }: { db: Db; hubIsOpen: (id: number) => Promise<void> },
  { boxes, name }: { boxes: number; name: string },
) {
  const zip = newZip();
  const hub = await createHubNow(db, { zips: [zip], name });
  const [before, week] = hub.deliveries;
  if (!before || !week) throw new Error("the hub has no deliveries");
  await createSubscribers(db, { hubId: hub.id, zip, boxes });
  for (const { vendor, title, priceCents, every } of GOODS) {
    const { id: vendorId } = await createVendor(db, { name: vendor });
    await db.vendor.update({ where: { id: vendorId }, data: { email: `vendor.${vendorId}@example.com` } });
    const { variant } = await createNewProduct(db, hub.id, { title, priceCents, inventory: 0, vendorId });
    await db.offer.updateMany({ where: { variant_id: variant.id }, data: { weekly_inventory: REFILL } });
    await subscribe(db, { hubId: hub.id, variantId: variant.id, every, lastDay: before.day });
  }
  await hubIsOpen(hub.id);
  return {
    deliveryId: week.id,
    date: week.day.toISOString().slice(0, 10),
    opensAt: before.cutoff_at.toISOString(),
    autoCheckoutAt: week.auto_checkout_at.toISOString(),
    cutoffAt: week.cutoff_at.toISOString(),
  };
}

/** So many customers of the hub with an address, a saved card, and automatic checkout of everything in the cart. */
async function createSubscribers(
  db: Db,
  { hubId, zip, boxes }: { hubId: number; zip: string; boxes: number },
): Promise<void> {
  const card = cardRef(GOOD_CARD.number, "");
  await execute(
    db,
    sql`with people as (
          insert into customer (email, first_name, last_name, hub_id, zip_code, auto_checkout_status, default_tip)
          select 'week.' || ${hubId}::int || '.' || n || '@example.com', (array['Priya', 'Ben', 'Flora', 'Walt', 'Iris'])[n % 5 + 1],
            'Baker-' || lpad(n::text, 3, '0'), ${hubId}::int, ${zip}, 1, 0
          from generate_series(1, ${boxes}::int) n returning id),
        homes as (
          insert into address (customer_id, address, city, state, zip_code, is_default)
          select id, ${ADDRESS.address}, 'Carmel', 'IN', ${zip}, true from people)
        insert into payment_method (customer_id, provider, provider_ref, brand, last4, exp_month, exp_year, is_default)
        select id, 'test', ${card}::text || id, 'visa', '4242', 12, ${CARD_YEAR}::int, true from people`,
  );
}

/** Subscribes every second, third … customer of the hub to one or two units a week. `lastDay`: the day that was skipped last. */
async function subscribe(
  db: Db,
  { hubId, variantId, every, lastDay }: { hubId: number; variantId: number; every: number; lastDay: Date },
): Promise<void> {
  await execute(
    db,
    sql`insert into subscription (customer_id, variant_id, quantity, interval_weeks, last_day)
        select id, ${variantId}::int, 1 + place % 2, 1, ${lastDay}::date
        from (select id, row_number() over (order by id) as place from customer where hub_id = ${hubId}::int) c
        where place % ${every}::int = 0`,
  );
}

/** Whether a day has orders that are charged for the first time, or will be. */
async function isCharging(db: Db): Promise<boolean> {
  const closed = await db.delivery.findMany({ where: { runs: { some: { step: "cutoff", state: "done" } } } });
  for (const { id } of closed) if (await hasUncharged(db, id)) return true;
  return false;
}

/** Sets the market's clock ahead, and does what has become due, together with the server's own jobs. Resolves when all of it is done. */
export async function passTime(
  { db, clock, context }: { db: Db; clock: MovingClock; context: () => Context },
  { to }: { to: string },
): Promise<void> {
  clock.moveTo(new Date(to));
  for (;;) {
    await runAutoCheckouts(context());
    await runWeek(context());
    const isRunning = (await db.delivery_run.count({ where: { state: "running" } })) > 0;
    await chargeDueOrders(context());
    if (!isRunning && !(await isCharging(db))) return;
    await setTimeout(50);
  }
}

/** The orders of a delivery day, in the order of their customers. */
export const ordersOf = (db: Db, deliveryId: number) =>
  db.order.findMany({
    where: { delivery_id: deliveryId },
    orderBy: { customer_id: "asc" },
    select: { id: true, status: true, source: true },
  });
