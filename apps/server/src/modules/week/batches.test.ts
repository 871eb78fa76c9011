import { execute, query, sql } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createCustomer, createHub, createHubNow, createProduct, PASSWORD } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { startProcess } from "../../../test/processes.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { findDueAutoCheckouts } from "../subscriptions/auto-run-sql.ts";
import { readSheets } from "./read-sheets.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const job = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
/** More than two batches. */
const MANY = 1100;

const runOf = (deliveryId: number, step: string) =>
  db.delivery_run.findUnique({ where: { delivery_id_step: { delivery_id: deliveryId, step } } });

/** Customers of the hub who are subscribed to five of each of these, with nothing in the cart. */
async function subscribers(hubId: number, variantIds: readonly number[]): Promise<number[]> {
  const rows = await query<{ id: number }>(
    db,
    sql`with people as (
          insert into customer (email, first_name, last_name, hub_id, auto_checkout_status)
          select 'many' || ${hubId}::int || '.' || n || '@example.com', 'Ada', 'Baker', ${hubId}::int, 1
          from generate_series(1, ${MANY}::int) n returning id),
        added as (
          insert into subscription (customer_id, variant_id, quantity, interval_weeks, created_at)
          select id, v, 5, 1, now() from people, unnest(${[...variantIds]}::int[]) v)
        select id from people order by id`,
  );
  return rows.map(({ id }) => id);
}
const cartsFilled = async (hubId: number) =>
  (
    await query<{ carts: number }>(
      db,
      sql`select count(distinct k.id)::int as carts from cart k join cart_item i on i.cart_id = k.id join customer c on c.id = k.customer_id where c.hub_id = ${hubId}::int`,
    )
  )[0]!.carts;

/** Copies of this offer with weekly stock, `MANY` in total. */
const moreOffers = (variantId: number) =>
  execute(
    db,
    sql`with more as (
          insert into variant select (jsonb_populate_record(v, jsonb_build_object('id', v.id * 100000 + n))).* from variant v, generate_series(2, ${MANY}::int) n
          where v.id = ${variantId}::int returning id)
        insert into offer select (jsonb_populate_record(o, jsonb_build_object('id', o.id * 100000 + n, 'variant_id', o.variant_id * 100000 + n))).*
        from offer o, generate_series(2, ${MANY}::int) n where o.variant_id = ${variantId}::int`,
  );

/** A day with one real order and `MANY - 1` copies of it with a total of zero, so that the ledger stays balanced. */
async function fullDay(now: Date) {
  market.clock.set(now);
  const hub = await (now.toISOString() === new Date(MONDAY).toISOString() ? createHub(db) : createHubNow(db));
  const eggs = await createProduct(db, hub.id, { inventory: 9 });
  await db.vendor.update({ where: { id: eggs.vendor_id }, data: { email: `farm${hub.id}@example.com` } });
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await browser.put("/cart", [eggs.line(2)]);
  const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
  const placed = await browser.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
  expect(placed.status).toBe(201);
  const id = placed.body.orderId as number;
  const base = 100_000_000 + hub.id * 10_000;
  const nothing = {
    attempt_id: null,
    payment_id: null,
    items_cents: 0,
    tip_cents: 0,
    tax_cents: 0,
    card_fee_cents: 0,
    delivery_fee_cents: 0,
    discount_cents: 0,
    order_total_cents: 0,
    credit_cents: 0,
  };
  // Each half of the orders is numbered against the order in which they were placed.
  await execute(
    db,
    sql`insert into orders select (jsonb_populate_record(o, ${JSON.stringify(nothing)}::jsonb || jsonb_build_object('id', ${base}::int + n,
          'created_at', o.created_at + ((${MANY}::int - n) || ' seconds')::interval))).* from orders o, generate_series(2, ${MANY}::int) n where o.id = ${id}::int`,
  );
  await execute(
    db,
    sql`insert into order_item (order_id, variant_id, vendor_id, product_title, variant_title, quantity, quantity_ordered, list_price_cents, unit_price_cents, commission_ppm)
        select ${base}::int + n, i.variant_id, i.vendor_id, i.product_title, i.variant_title, 1, 1, 0, 0, 0
        from order_item i, generate_series(2, ${MANY}::int) n where i.order_id = ${id}::int`,
  );
  return { hub, eggs, browser, id, delivery: hub.deliveries[0]! };
}
const versionsOf = (deliveryId: number) =>
  db.snapshot.findMany({
    where: { delivery_id: deliveryId },
    include: { boxes: { orderBy: { tote: "asc" }, include: { lines: true, order: true } } },
  });

/** Expects one version with each box once, with its line, numbered by creation, and all orders closed. */
async function expectWhole(deliveryId: number) {
  const [version, ...more] = await versionsOf(deliveryId);
  expect([version?.version, version?.is_complete, more]).toEqual([1, true, []]);
  const boxes = version!.boxes;
  expect(boxes.map(({ tote }) => tote)).toEqual(Array.from({ length: MANY }, (_, place) => place + 1));
  const begun = boxes.map(({ order }) => order.created_at.getTime());
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  expect(boxes.every(({ lines, order }) => lines.length === 1 && order.status === "pending")).toBe(true);
  expect(
    await db.mail.count({ where: { template: "vendor-order", key: { startsWith: `vendor-order:${version!.id}:` } } }),
  ).toBe(1);
}

// This test runs first, so that the killed process has no other market's day to work on.
test(
  "week: a step of a server killed between two batches is taken over when its lease expires",
  { tags: ["fail:M13", "fail:C1"] },
  async () => {
    const { hub, eggs, delivery } = await fullDay(new Date());
    await subscribers(hub.id, [eggs.variant.id]);
    const killAt = async (point: string) => {
      const server = startProcess({
        databaseUrl: market.url,
        dataDir: market.dataDir,
        failpoints: { [point]: "kill" },
      });
      await server.then(
        ({ gone }) => gone,
        () => undefined,
      );
    };
    await killAt("open:batch");
    expect((await runOf(delivery.id, "open"))?.state).toBe("running");
    const finish = async (step: string) => {
      market.clock.set(new Date());
      await runWeek(job());
      // The lease of the killed server is still valid.
      expect((await runOf(delivery.id, step))?.state).toBe("running");
      market.clock.set(new Date(Date.now() + 3 * 60_000));
      await runWeek(job());
      expect((await runOf(delivery.id, step))?.state).toBe("done");
    };
    await finish("open");
    expect(await cartsFilled(hub.id)).toBe(MANY);

    await execute(
      db,
      sql`update delivery set cutoff_at = date_trunc('second', now()), auto_checkout_at = date_trunc('second', now()) - interval '36 hours' where id = ${delivery.id}::int`,
    );
    await killAt("cutoff:batch");
    const [half] = await versionsOf(delivery.id);
    expect([half?.is_complete, half?.boxes.length]).toEqual([false, 500]);
    await finish("cutoff");
    await expectWhole(delivery.id);
  },
);

test(
  "week: opening a cycle, interrupted after every batch, continues where it stopped and repeats nothing",
  { tags: ["fail:M13", "fail:C1"] },
  async () => {
    market.clock.set(MONDAY);
    const hub = await createHub(db);
    const deliveryId = hub.deliveries[0]!.id;
    const eggs = await createProduct(db, hub.id, { inventory: 3 });
    const milk = await createProduct(db, hub.id, { inventory: 3 });
    await db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { weekly_inventory: 10 } });
    await moreOffers(eggs.variant.id);
    const people = await subscribers(hub.id, [eggs.variant.id, milk.variant.id]);
    const stock = () => db.offer.findMany({ where: { hub_id: hub.id, weekly_inventory: 10 }, orderBy: { id: "asc" } });

    points.plan["open:batch"] = "throw";
    const seen: number[] = [];
    let isEmptied = false;
    let isSold = false;
    let ticks = 0;
    while ((await runOf(deliveryId, "open"))?.state !== "done") {
      expect((ticks += 1)).toBeLessThan(20);
      await runWeek(job());
      const carts = await cartsFilled(hub.id);
      seen.push(carts);
      if ((await runOf(deliveryId, "open"))?.state === "done") break;
      // No automatic order is placed before all carts are filled for the new cycle.
      market.clock.set("2026-11-23T18:00:00Z");
      expect((await findDueAutoCheckouts(db, market.clock.now())).filter(({ id }) => id === deliveryId)).toEqual([]);
      market.clock.set(MONDAY);
      if (carts === 500 && !isEmptied) {
        // A shopper of the first batch empties the cart.
        await db.cart_item.deleteMany({ where: { cart: { customer_id: people[0]! } } });
        isEmptied = true;
      }
      const [first, second] = (await stock()).filter(({ inventory }) => inventory === 10);
      if (first && second && !isSold) {
        await db.offer.update({ where: { id: first.id }, data: { inventory: 4 } });
        isSold = true;
      }
    }
    delete points.plan["open:batch"];
    expect([isEmptied, isSold]).toEqual([true, true]);
    expect(new Set(seen)).toEqual(new Set([0, 500, 999, MANY - 1]));
    await runWeek(job());
    expect(await cartsFilled(hub.id)).toBe(MANY - 1);
    expect(
      (
        await db.cart_item.groupBy({
          by: ["quantity"],
          _count: true,
          where: { cart: { customer: { hub_id: hub.id } } },
        })
      ).map((row) => [row.quantity, row._count]),
    ).toEqual([[5, (MANY - 1) * 2]]);
    expect((await stock()).map(({ inventory }) => inventory).toSorted((a, b) => a - b)).toEqual([
      4,
      ...Array.from({ length: MANY - 1 }, () => 10),
    ]);
    expect(await db.stock_adjustment.count({ where: { reason: "weekly stock" } })).toBe(MANY);
  },
);

test(
  "week: a freeze interrupted at each step has no sheets until it is complete, and then each box is frozen once",
  { tags: ["fail:M13", "fail:C17", "fail:V8"] },
  async () => {
    const { hub, eggs, browser, delivery } = await fullDay(new Date(MONDAY));
    // Orders placed ahead, more than a batch: all of them open with the cycle.
    await db.order.updateMany({ where: { delivery_id: delivery.id }, data: { status: "future" } });
    await runWeek(job());
    expect(await db.order.count({ where: { delivery_id: delivery.id, status: "open" } })).toBe(MANY);
    const cutoff = "2026-11-25T06:00:00Z";
    market.clock.set(cutoff);
    const sheets = () => readSheets(job(), { hub: hub.slug, day: "2026-11-26" });
    await browser.put("/cart", [eggs.line(1)]);
    for (const [point, boxes] of [
      ["cutoff:begun", undefined],
      ["cutoff:frozen", 0],
      ["cutoff:batch", 500],
      ["cutoff:batch", 1000],
    ] as const) {
      points.plan[point] = "throw";
      await runWeek(job());
      delete points.plan[point];
      expect((await runOf(delivery.id, "cutoff"))?.state).toBe("running");
      await expect(sheets()).rejects.toMatchObject({ details: { code: "cutoff_not_run" } });
      expect(await db.mail.count({ where: { template: "vendor-order", to_email: `farm${hub.id}@example.com` } })).toBe(
        0,
      );
      const [version] = await versionsOf(delivery.id);
      expect([point, version?.is_complete, version?.boxes.length]).toEqual([
        point,
        boxes === undefined ? undefined : false,
        boxes,
      ]);
      expect(await db.order.count({ where: { delivery_id: delivery.id, status: "pending" } })).toBe(boxes ?? 0);
    }
    await runWeek(job());
    await expectWhole(delivery.id);
    expect((await sheets()).day.boxes).toHaveLength(MANY);
    await runWeek(job());
    await expectWhole(delivery.id);
    market.clock.set("2026-11-25T06:20:00Z");
    expect((await market.audit()).filter(({ invariant }) => invariant === "V8")).toEqual([]);
  },
);
