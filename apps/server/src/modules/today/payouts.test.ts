import { addMs, Day } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY, type TestMarket } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { staffOf } from "../../../test/staff.ts";
import type { Context } from "../identity/context.ts";
import { payVendors, reversePayout } from "../ledger/pay-vendors.ts";

const NOW = new Date(MONDAY);

/** A hub with a product of a new vendor, and `order`, an order of it for a delivery day of the hub. */
async function openHub({ db, deps }: TestMarket) {
  const hub = await createHub(db);
  const product = await createProduct(db, hub.id);
  const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const order = (status: "open" | "closed", deliveries = hub.deliveries) =>
    createOrder(db, { customerId: customer.id, hub: { ...hub, deliveries }, product, status, createdAt: NOW });
  return { db, hub, customer, vendorId: product.vendor_id, order };
}
type Place = Awaited<ReturnType<typeof openHub>>;

/** Books cents for a vendor, with an order. */
const book = (place: Place, order_id: number, amount_cents: number, created_at: Date, kind = "sale") =>
  place.db.ledger_transaction.create({
    data: {
      kind,
      order_id,
      created_at,
      entries: {
        create: [
          { account: "vendor", vendor_id: place.vendorId, amount_cents },
          { account: "shopper", customer_id: place.customer.id, amount_cents: -amount_cents },
        ],
      },
    },
  });

/** A delivery day that was closed `daysAgo` days ago, with an order that gives the vendor a share. */
async function closeDay(place: Place, daysAgo: number, shareCents: number) {
  const at = addMs(NOW, -daysAgo * Day.ms);
  const day = at.toISOString().slice(0, 10);
  const [cutoff_at, auto_checkout_at] = [addMs(at, -2 * Day.ms), addMs(at, -3.5 * Day.ms)];
  const run = { state: "done", lease_until: cutoff_at, started_at: cutoff_at, done_at: cutoff_at };
  const delivery = await place.db.delivery.create({
    data: {
      hub_id: place.hub.id,
      day: new Date(`${day}T00:00:00Z`),
      cutoff_at,
      auto_checkout_at,
      runs: { create: ["open", "auto_checkout", "cutoff", "close"].map((step) => ({ ...run, step })) },
    },
  });
  const { id: orderId } = await place.order("closed", [delivery]);
  await book(place, orderId, shareCents, cutoff_at);
  return { orderId, day };
}

const operator = ({ deps }: TestMarket, daysAgo: number): Context => ({
  now: addMs(NOW, -daysAgo * Day.ms),
  actor: { type: "operator", name: "mara" },
  deps,
});

/** The amount that waits for vendors, and the next thing to do for a day: as an owner sees them. */
async function board(market: TestMarket, query = "") {
  const { status, body } = await (await staffOf(market, "owner")).get(`/today${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  const due = body.counts.money.find(({ key }: { key: string }) => key === "payouts_due");
  return { due, nextOf: (day: string) => body.rows.find((row: { day: string }) => row.day === day)?.next };
}

test("payouts: a market that never booked one counts the vendors of the last 60 days and of the last closed day of each hub, and no older ones", async () => {
  const market = await buildTestApp();
  const place = await openHub(market);
  await closeDay(place, 63, 700);
  expect((await board(market)).due).toMatchObject({ count: 1, amount: 7 });
  const vendorId = (await createProduct(market.db, place.hub.id)).vendor_id;
  await closeDay({ ...place, vendorId }, 56, 500);
  await closeDay({ ...place, vendorId }, 4, 300);
  expect((await board(market)).due).toMatchObject({ count: 1, amount: 8 });
});

test("payouts: amounts beyond 21 million dollars are added up", async () => {
  const market = await buildTestApp();
  for (let n = 0; n < 2; n += 1) await closeDay(await openHub(market), 4, 2_000_000_000);
  expect((await board(market)).due).toMatchObject({ count: 2, amount: 40_000_000 });
});

test("payouts: a vendor who was overpaid is not to be paid, and then only what is left of the share", async () => {
  const market = await buildTestApp();
  const place = await openHub(market);
  const first = await closeDay(place, 11, 3000);
  await payVendors(operator(market, 10), { to: first.day, dryRun: false });
  await book(place, first.orderId, -3000, addMs(NOW, -9 * Day.ms), "compensation");
  const second = await closeDay(place, 4, 2000);
  const { due, nextOf } = await board(market);
  expect(due).toMatchObject({ count: 0, amount: 0, level: "quiet" });
  expect(nextOf(second.day)).toBeUndefined();

  const third = await closeDay(place, 2, 2500);
  const left = await board(market);
  expect(left.due).toMatchObject({ count: 1, amount: 15, level: "due" });
  expect(left.nextOf(third.day)).toMatchObject({ kind: "pay_vendors", count: 1, amount: 15 });
  expect(await payVendors(operator(market, 0), { to: third.day, dryRun: false })).toMatchObject({ totalCents: 1500 });
  const paid = await board(market);
  expect(paid.due).toMatchObject({ count: 0, amount: 0 });
  expect(paid.nextOf(third.day)).toBeUndefined();
});

test("payouts: a vendor's part that was reversed is due until it is paid again, though later days are paid", async () => {
  const market = await buildTestApp();
  const place = await openHub(market);
  const first = await closeDay(place, 11, 2000);
  const { payout } = await payVendors(operator(market, 10), { to: first.day, dryRun: false });
  const second = await closeDay(place, 4, 500);
  await payVendors(operator(market, 3), { to: second.day, dryRun: false });
  // Of a day that takes orders.
  await book(place, (await place.order("open")).id, 900, NOW);
  expect((await board(market)).due).toMatchObject({ count: 0, amount: 0 });
  const { slug: vendor } = await market.db.vendor.findUniqueOrThrow({ where: { id: place.vendorId } });
  await reversePayout(operator(market, 1), { payout: payout!, vendor, reason: "came back", dryRun: false });
  const command = `ledger payouts --to ${second.day} --dry-run`;
  expect((await board(market)).due).toMatchObject({ count: 1, amount: 20, level: "due", command });
  // Vendors are paid for the whole market: one hub has no part in it.
  expect((await board(market, `?hub=${place.hub.slug}`)).due).toMatchObject({ count: 0, amount: 0 });
  await payVendors(operator(market, 0), { to: second.day, dryRun: false });
  expect((await board(market)).due).toMatchObject({ count: 0, amount: 0 });
});
