import { execute, sql, sqlTransaction } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  ADDRESS,
  CHOICE,
  createBundle,
  createCustomer,
  createHub,
  createProduct,
  PASSWORD,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { runWeek } from "../../jobs/week.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { freezeNextVersion } from "./snapshot-sql.ts";
import { findVendorList } from "./snapshot-store.ts";

const points = failpoints();
const sent: { to: string; subject: string; text: string }[] = [];
const market = await buildTestApp({
  overrides: { failpoint: points.at, mailer: { send: async (mail) => void sent.push(mail), describe: () => "a list" } },
});
const { db, deps } = market;
const CUTOFF = "2026-11-25T06:00:00Z";
const tick = (at: string) => {
  market.clock.set(at);
  return runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
};

async function order(hubId: number, lines: object[], choice: object = CHOICE) {
  const row = await createCustomer(db, { hubId, pepper: deps.env.pepper });
  await db.customer.update({ where: { id: row.id }, data: { phone: "3175550100" } });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  const buy = async (cartLines: object[]) => {
    await browser.put("/cart", cartLines);
    const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
    const { status, body } = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.orderId as number;
  };
  return { row, browser, buy, id: await buy(lines) };
}
const frozen = (deliveryId: number) =>
  db.snapshot.findMany({
    where: { delivery_id: deliveryId },
    include: { boxes: { orderBy: { tote: "asc" }, include: { lines: { orderBy: { id: "asc" } } } } },
    orderBy: { version: "asc" },
  });

test("snapshot: the cutoff freezes boxes and lines once, add-ons in their box, without cancelled and removed ones", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 50 });
  const milk = await createProduct(db, hub.id, { title: "Milk", inventory: 50 });
  const bundle = await createBundle(db, [hub.id], { title: "Breakfast", items: [{ product: milk, quantity: 2 }] });
  const first = await order(hub.id, [eggs.line(3), milk.line(1)]);
  const addOn = await first.buy([{ ...milk.line(2), fromBundleId: bundle.id }]);
  await first.browser.post("/orders/edit-order", {
    order: { id: first.id, items: [{ quantity: 2, product: { variant: { id: eggs.variant.id } } }] },
  });
  const depot = hub.pickup_points[0]!;
  // Totes are numbered by the creation of their boxes.
  market.clock.set("2026-11-23T17:05:00Z");
  const second = await order(hub.id, [eggs.line(1)], { type: "pickup", pickupPointId: depot.id, card: CHOICE.card });
  const gone = await order(hub.id, [eggs.line(4)]);
  await gone.browser.post("/orders/edit-order", { order: { id: gone.id, items: [] } });

  points.plan["cutoff:closed"] = "throw";
  await tick(CUTOFF);
  delete points.plan["cutoff:closed"];
  await Promise.all([tick("2026-11-25T06:03:00Z"), tick("2026-11-25T06:03:00Z")]);

  const [snapshot, ...more] = await frozen(hub.deliveries[0]!.id);
  expect(more).toEqual([]);
  expect(snapshot).toMatchObject({ version: 1, hub_id: hub.id, hub_name: hub.name, frozen_at: new Date(CUTOFF) });
  expect(snapshot!.boxes.map((box) => [box.tote, box.order_id, box.type, box.name, box.phone])).toEqual([
    [1, first.id, "delivery", "Robin Baker", "3175550100"],
    [2, second.id, "pickup", "Robin Baker", "3175550100"],
  ]);
  expect(snapshot!.boxes[0]!.address).toMatchObject(ADDRESS);
  expect(snapshot!.boxes[1]!).toMatchObject({ pickup: { name: depot.name, zipCode: "46032" } });
  expect(
    snapshot!.boxes[0]!.lines.map((line) => [line.order_id, line.product_title, line.quantity, line.bundle_title]),
  ).toEqual([
    [first.id, "Eggs", 2, null],
    [addOn, "Milk", 2, "Breakfast"],
  ]);
  expect(await market.audit()).toEqual([]);
});

test("snapshot: each vendor is emailed the frozen quantities once", async () => {
  market.clock.set(MONDAY);
  sent.length = 0;
  const hub = await createHub(db, { name: "Little market" });
  const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 50 });
  const jam = await createProduct(db, hub.id, { title: "Jam", inventory: 50 });
  await db.vendor.update({ where: { id: eggs.vendor_id }, data: { email: "eggs@farm.example" } });
  await db.variant.update({ where: { id: eggs.variant.id }, data: { title: "Large", unit: "dozen" } });
  await order(hub.id, [eggs.line(2), jam.line(1)]);
  await order(hub.id, [eggs.line(3)]);
  await tick(CUTOFF);
  await tick("2026-11-25T06:01:00Z");
  await sendDueMail(deps);
  const mails = sent.filter(({ to }) => to === "eggs@farm.example");
  expect(mails.map(({ subject }) => subject)).toEqual(["Little market: 5 items to bring for Thursday, November 26"]);
  expect(mails[0]!.text).toContain("Eggs, Large · dozen: 5");
  expect(mails[0]!.text).not.toContain("Jam");
  expect(mails[0]!.text).not.toContain("Robin");
});

test("snapshot: a frozen line has unit and size, each once", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const jam = await createProduct(db, hub.id, {
    inventory: 50,
    variants: ["a", "b", "c", "d", "e", "f"].map((title) => ({ title })),
  });
  const sizes = [
    { unit: "8 oz", measure: "oz", measure_amount: 8 },
    { unit: "jar", measure: "oz", measure_amount: 12.5 },
    { unit: null, measure: "lb", measure_amount: 1 },
    { unit: "", measure: null, measure_amount: null },
    { unit: "jar", measure: "oz", measure_amount: 1 / 3 },
    { unit: "jar", measure: "oz", measure_amount: 0.001 },
  ];
  for (const [place, data] of sizes.entries())
    await db.variant.update({ where: { id: jam.variants[place]!.id }, data });
  await order(
    hub.id,
    jam.variants.map(({ id }) => ({ productId: jam.id, variantId: id, quantity: 1 })),
  );
  await tick(CUTOFF);
  const [snapshot] = await frozen(hub.deliveries[0]!.id);
  expect(snapshot!.boxes[0]!.lines.map(({ unit }) => unit)).toEqual([
    "8 oz",
    "jar, 12.5 oz",
    "1 lb",
    null,
    "jar, 0.33 oz",
    "jar",
  ]);
});

test("snapshot: frozen rows are append-only, a new freeze is the next version, and a deleted account is erased from its boxes", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50 });
  const { row, id } = await order(hub.id, [eggs.line(2)]);
  await tick(CUTOFF);
  const delivery = hub.deliveries[0]!.id;
  const [first] = await frozen(delivery);
  await expect(execute(db, sql`update snapshot_line set quantity = 9`)).rejects.toThrow(/append-only/);
  await expect(execute(db, sql`update snapshot set hub_name = ${"Other"}`)).rejects.toThrow(/append-only/);
  await db.order_item.updateMany({ where: { order_id: id }, data: { quantity: 1 } });
  const again = await sqlTransaction(db, (tx) => freezeNextVersion(tx, delivery, market.clock.now()));
  const [old, renewed] = await frozen(delivery);
  expect([old!.boxes, renewed!.version, renewed!.boxes[0]!.lines[0]!.quantity]).toEqual([first!.boxes, 2, 1]);
  expect(await findVendorList(db, again, eggs.vendor_id)).toMatchObject({ version: 2, lines: [{ quantity: 1 }] });
  await db.order_item.updateMany({ where: { order_id: id }, data: { quantity: 2 } });
  await db.customer.update({
    where: { id: row.id },
    data: { deleted_at: market.clock.now(), email: null, password_hash: null },
  });
  for (const { boxes } of await frozen(delivery))
    expect(boxes[0]).toMatchObject({ name: "", phone: "", address: null, delivery_notes: "" });
});
