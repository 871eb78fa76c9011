import { createDb, type Db, execute, query, raw, sql, sqlTransaction } from "@marketday/db";
import { migrate } from "@marketday/db/migrate";
import { createDeps } from "@marketday/server/create-deps";
import { parseEnv } from "@marketday/server/env";
import { runAutoCheckouts } from "@marketday/server/jobs/auto-checkout";
import { createLogger } from "@marketday/server/lib/logger";
import { createHub, createProduct } from "@marketday/server/testing/factories";

import type { BenchMarket } from "./market.ts";
import type { Row } from "./table.ts";

/** Carts of one delivery day; `BENCH_CARTS` for a smaller try. */
const CARTS = Number(process.env["BENCH_CARTS"] ?? 10_000);
/** Bare transactions that are measured beside it, as many at a time as auto-checkout has workers. */
const BARE = Math.min(CARTS, 2000);
const WORKERS = 3;

/** A hub whose automatic checkout is due, its cycle open, and customers with an address, a card and two things in the cart. */
async function fill(db: Db): Promise<{ deliveryId: number; hubId: number; variantId: number }> {
  const hub = await createHub(db, { now: new Date() });
  const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: CARTS * 3 });
  const deliveryId = hub.deliveries[0]!.id;
  await execute(
    db,
    sql`update delivery set cutoff_at = date_trunc('second', now()) + interval '36 hours', auto_checkout_at = date_trunc('second', now()) where id = ${deliveryId}::int`,
  );
  await execute(
    db,
    sql`insert into delivery_run (delivery_id, step, state, lease_until, started_at, done_at) values (${deliveryId}::int, 'open', 'done', now(), now(), now())`,
  );
  await execute(
    db,
    sql`with people as (
          insert into customer (email, email_normal, first_name, last_name, hub_id, auto_checkout_status, default_tip)
          select 'auto' || n || '@example.com', 'auto' || n || '@example.com', 'Ada', 'Baker', ${hub.id}::int, 1, 10
          from generate_series(1, ${CARTS}::int) n returning id),
        homes as (
          insert into address (customer_id, address, city, state, zip_code, is_default) select id, '12 Main Street', 'Carmel', 'IN', '46032', true from people),
        cards as (
          insert into payment_method (customer_id, provider, provider_ref, brand, last4, exp_month, exp_year, is_default)
          select id, 'test', 'tpm_' || ${Buffer.from("4242424242424242").toString("base64url")} || '.' || id, 'visa', '4242', 12, 2040, true from people),
        carts as (insert into cart (customer_id) select id from people returning id)
        insert into cart_item (cart_id, variant_id, quantity, seen_price_cents) select id, ${eggs.variant.id}::int, 2, 700 from carts`,
  );
  await execute(db, sql`analyze`);
  return { deliveryId, hubId: hub.id, variantId: eggs.variant.id };
}

/** The least an order is in Postgres: stock taken, an order with a line, the cart emptied, a mail written. Orders a second. */
async function bareRate(db: Db, made: { deliveryId: number; hubId: number; variantId: number }): Promise<number> {
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    while (next < BARE) {
      const id = 100_000_000 + (next += 1);
      await sqlTransaction(db, async (tx) => {
        await execute(
          tx,
          sql`update offer set inventory = inventory - 1 where variant_id = ${made.variantId}::int and inventory > 0`,
        );
        await execute(
          tx,
          sql`with placed as (
                insert into orders (id, hub_id, delivery_id, items_cents, tip_cents, tax_cents, tax_rate_ppm, card_fee_cents, delivery_fee_cents, discount_cents, order_total_cents, created_at)
                values (${id}::int, ${made.hubId}::int, ${made.deliveryId}::int, 700, 0, 0, 0, 0, 0, 0, 700, now()) returning id)
              insert into order_item (order_id, variant_id, vendor_id, product_title, variant_title, quantity, quantity_ordered, list_price_cents, unit_price_cents, commission_ppm)
              select placed.id, v.id, p.vendor_id, p.title, v.title, 1, 1, 700, 700, 0 from placed, variant v join product p on p.id = v.product_id where v.id = ${made.variantId}::int`,
        );
        await execute(
          tx,
          sql`insert into mail (key, template, to_email, data, created_at) values (${`bare ${id}`}, 'order-confirmation', 'a@example.com', '{}', now())`,
        );
      });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return (BARE * 1000) / (performance.now() - started);
}

/** Automatic checkout of a whole delivery day by one process: carts a second beside the bare SQL, and its memory on the way. */
export async function benchAutoCheckout(market: BenchMarket): Promise<Row[]> {
  const admin = createDb({ url: market.databaseUrl });
  await execute(admin, sql`create database ${raw("bench_auto_checkout")}`);
  await admin.close();
  const url = new URL(market.databaseUrl);
  url.pathname = "/bench_auto_checkout";
  await migrate({ url: url.href });
  const db = createDb({ url: url.href, statementTimeoutMs: 300_000 });
  const env = parseEnv({ ...process.env, ...market.env, DATABASE_URL: url.href });
  const deps = await createDeps(env, url.href, createLogger("silent", false));
  try {
    const made = await fill(db);
    const memory: number[] = [];
    let placed = 0;
    deps.at = async (point) => {
      if (point === "auto:ordered" && (placed += 1) % Math.ceil(CARTS / 4) === 0)
        memory.push(process.memoryUsage().rss / 2 ** 20);
    };
    const started = performance.now();
    await runAutoCheckouts({ deps, now: deps.clock.now(), actor: { type: "system", job: "bench" } });
    const seconds = (performance.now() - started) / 1000;
    const [found] = await query<{ orders: number }>(
      db,
      sql`select count(distinct customer_id)::int as orders from orders where delivery_id = ${made.deliveryId}::int and source = 'auto'`,
    );
    const bare = await bareRate(db, made);
    const rate = CARTS / seconds;
    const [first = 0, ...later] = memory;
    const most = Math.max(first, ...later);
    const [slowest] = await query<{ orders: number }>(
      db,
      sql`select max(attempts)::int as orders from job_claim where job = 'auto-checkout'`,
    );
    return [
      {
        what: `auto-checkout of ${CARTS} carts`,
        value: `${rate.toFixed(0)} carts/s, ${seconds.toFixed(0)} s`,
        wanted: "≥ 17 carts/s",
        good: rate >= 17,
      },
      {
        what: "  beside bare SQL (stock, order, line, mail)",
        value: `${bare.toFixed(0)} orders/s, ${(bare / rate).toFixed(1)} ×`,
        wanted: "",
        good: true,
      },
      {
        what: "  each cart once",
        value: `${found?.orders ?? 0} orders, ${slowest?.orders ?? 0} try at most`,
        wanted: `${CARTS} orders`,
        good: found?.orders === CARTS,
      },
      {
        what: "  memory after each quarter",
        value: memory.map((mb) => `${mb.toFixed(0)} MB`).join(", "),
        wanted: "flat",
        good: most <= first * 1.25 + 20,
      },
    ];
  } finally {
    deps.clock.stop();
    await deps.db.close();
    await db.close();
  }
}
