import { createDb, type Db, execute, poolOf, query, raw, sql, sqlTransaction } from "@marketday/db";
import { migrate } from "@marketday/db/migrate";
import { createDeps } from "@marketday/server/create-deps";
import { parseEnv } from "@marketday/server/env";
import { runAutoCheckouts } from "@marketday/server/jobs/auto-checkout";
import { runWeek } from "@marketday/server/jobs/week";
import { createLogger } from "@marketday/server/lib/logger";
import { readSheets } from "@marketday/server/modules/week/read-sheets";
import { createHub, createProduct } from "@marketday/server/testing/factories";

import type { BenchMarket } from "./market.ts";
import type { Row } from "./table.ts";

/** Customers of one delivery day; `BENCH_CARTS` sets a smaller number. */
const CARTS = Number(process.env["BENCH_CARTS"] ?? 10_000);
/** Subscriptions per customer. */
const LINES = Number(process.env["BENCH_LINES"] ?? 10);
const PRODUCTS = 10 * LINES;
/** Bare transactions measured for comparison, as many at a time as auto-checkout has workers. */
const BARE = Math.min(CARTS, 2000);
const WORKERS = 3;

/** A hub with a cycle to open and a due automatic checkout, and customers with an address, a card and subscriptions. */
async function fill(db: Db) {
  const hub = await createHub(db, { now: new Date() });
  const variants: number[] = [];
  for (let count = 0; count < PRODUCTS; count += 1)
    variants.push((await createProduct(db, hub.id, { priceCents: 700, inventory: CARTS * 3 })).variant.id);
  await execute(db, sql`update offer set weekly_inventory = ${CARTS * 4}::int where hub_id = ${hub.id}::int`);
  const deliveryId = hub.deliveries[0]!.id;
  await execute(
    db,
    sql`update delivery set cutoff_at = date_trunc('second', now()) + interval '36 hours', auto_checkout_at = date_trunc('second', now()) where id = ${deliveryId}::int`,
  );
  await execute(
    db,
    sql`with people as (
          insert into customer (email, first_name, last_name, hub_id, auto_checkout_status, default_tip)
          select 'auto' || n || '@example.com', 'Ada', 'Baker', ${hub.id}::int, 1, 10
          from generate_series(1, ${CARTS}::int) n returning id),
        homes as (
          insert into address (customer_id, address, city, state, zip_code, is_default) select id, '12 Main Street', 'Carmel', 'IN', '46032', true from people),
        cards as (
          insert into payment_method (customer_id, provider, provider_ref, brand, last4, exp_month, exp_year, is_default)
          select id, 'test', 'tpm_' || ${Buffer.from("4242424242424242").toString("base64url")} || '.' || id, 'visa', '4242', 12, 2040, true from people)
        insert into subscription (customer_id, variant_id, quantity, interval_weeks, created_at)
        select id, (${variants}::int[])[1 + (id * 7 + line) % ${PRODUCTS}::int], 2, 1, now() from people, generate_series(1, ${LINES}::int) line`,
  );
  await execute(db, sql`analyze`);
  return { deliveryId, hub, day: hub.deliveries[0]!.day, variantId: variants[0]! };
}

/** Records the longest statement of a pool, as this process waits for it, and how many took over a second. */
function timeStatements(db: Db) {
  const longest = { ms: 0, text: "", overASecond: 0 };
  poolOf(db).on("connect", (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const started = performance.now();
      const result = send(...args);
      const [config] = args as [string | { text?: string }];
      const record = () => {
        const ms = performance.now() - started;
        if (ms > 1000) longest.overASecond += 1;
        if (ms > longest.ms)
          Object.assign(longest, { ms, text: typeof config === "string" ? config : (config.text ?? "") });
      };
      if (result instanceof Promise) result.then(record, record);
      return result;
    }) as never;
  });
  return longest;
}

/** The minimum SQL of an order: stock, an order with a line, a mail. Orders per second. */
async function bareRate(db: Db, market: Awaited<ReturnType<typeof fill>>): Promise<number> {
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    while (next < BARE) {
      const id = 100_000_000 + (next += 1);
      await sqlTransaction(db, async (tx) => {
        await execute(
          tx,
          sql`update offer set inventory = inventory - 1 where variant_id = ${market.variantId}::int and inventory > 0`,
        );
        await execute(
          tx,
          sql`with placed as (
                insert into orders (id, hub_id, delivery_id, items_cents, tip_cents, tax_cents, tax_rate_ppm, card_fee_cents, delivery_fee_cents, discount_cents, order_total_cents, created_at)
                values (${id}::int, ${market.hub.id}::int, ${market.deliveryId}::int, 700, 0, 0, 0, 0, 0, 0, 700, now()) returning id)
              insert into order_item (order_id, variant_id, vendor_id, product_title, variant_title, quantity, quantity_ordered, list_price_cents, unit_price_cents, commission_ppm)
              select placed.id, v.id, p.vendor_id, p.title, v.title, 1, 1, 700, 700, 0 from placed, variant v join product p on p.id = v.product_id where v.id = ${market.variantId}::int`,
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

/**
 * A whole delivery day in one process with the timeouts of production: the cycle opens and fills the carts, auto-checkout
 * orders all of them, the cutoff takes the snapshot and charges. Carts per second compared with the bare SQL, the longest
 * statement, memory.
 */
export async function benchAutoCheckout(market: BenchMarket): Promise<Row[]> {
  const admin = createDb({ url: market.databaseUrl });
  await execute(admin, sql`create database ${raw("bench_auto_checkout")}`);
  await admin.close();
  const url = new URL(market.databaseUrl);
  url.pathname = "/bench_auto_checkout";
  await migrate({ url: url.href });
  // For filling and checking only; the measured work uses a pool with the server's timeouts.
  const db = createDb({ url: url.href, statementTimeoutMs: 300_000 });
  const env = parseEnv({ ...process.env, ...market.env, DATABASE_URL: url.href });
  const server = createDb({ url: url.href, applicationName: "marketday server" });
  const longest = timeStatements(server);
  const deps = await createDeps(env, url.href, createLogger("error", false), { db: server });
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return (performance.now() - started) / 1000;
  };
  try {
    const made = await fill(db);
    const memory: number[] = [];
    let placed = 0;
    deps.failpoint = async (point) => {
      if (point === "auto:ordered" && (placed += 1) % Math.ceil(CARTS / 4) === 0)
        memory.push(process.memoryUsage().rss / 2 ** 20);
    };
    const at = (now: Date) => ({ deps, now, actor: { type: "system" as const, job: "bench" } });
    const opening = await timed(() => runWeek(at(deps.clock.now())));
    const ordering = await timed(() => runAutoCheckouts(at(deps.clock.now())));
    const cutoffAt = new Date(Date.now() + 37 * 3_600_000);
    const closing = await timed(() => runWeek(at(cutoffAt)));
    const sheets = await timed(() =>
      readSheets(at(cutoffAt), { hub: made.hub.slug, day: made.day.toISOString().slice(0, 10) }),
    );
    const [found] = await query<Record<string, number>>(
      db,
      sql`select (select count(distinct customer_id)::int from orders where delivery_id = ${made.deliveryId}::int and source = 'auto') as customers,
            (select count(*)::int from orders where delivery_id = ${made.deliveryId}::int) as orders,
            (select max(tries)::int from auto_checkout_result) as tries,
            (select count(*)::int from snapshot_box b join snapshot s on s.id = b.snapshot_id where s.delivery_id = ${made.deliveryId}::int and s.is_complete) as boxes,
            (select count(*)::int from snapshot_line l join snapshot s on s.id = l.snapshot_id where s.delivery_id = ${made.deliveryId}::int and s.is_complete) as lines,
            (select count(*)::int from payment where state = 'captured') as captured,
            (select count(*)::int from delivery_run where delivery_id = ${made.deliveryId}::int and step in ('open', 'auto_checkout', 'cutoff') and state = 'done') as done`,
    );
    const counts = found ?? {};
    const bare = await bareRate(db, made);
    const rate = CARTS / ordering;
    const [first = 0, ...later] = memory;
    const peak = Math.max(first, ...later);
    const row = (what: string, value: string, wanted = "", good = true): Row => ({ what, value, wanted, good });
    return [
      row(`opening a cycle for ${CARTS} customers × ${LINES} subscriptions`, `${opening.toFixed(1)} s`),
      row(
        `auto-checkout of ${CARTS} carts`,
        `${rate.toFixed(0)} carts/s, ${ordering.toFixed(0)} s`,
        "≥ 17 carts/s",
        rate >= 17,
      ),
      row(
        "  compared with bare SQL (stock, order, line, mail)",
        `${bare.toFixed(0)} orders/s, ${(bare / rate).toFixed(1)} ×`,
      ),
      row("cutoff: snapshot and charges, and opening the next cycle", `${closing.toFixed(1)} s`),
      row("first sheets", `${sheets.toFixed(1)} s`),
      row(
        "  each cart ordered once, in one snapshot, charged once",
        `${counts["customers"]} customers, ${counts["orders"]} orders, ${counts["boxes"]} boxes, ${counts["lines"]} lines, ${counts["captured"]} charges, ${counts["tries"]} try at most`,
        `${CARTS} orders, boxes and charges, ${CARTS * LINES} lines`,
        ["customers", "orders", "boxes", "captured"].every((name) => counts[name] === CARTS) &&
          counts["lines"] === CARTS * LINES &&
          counts["done"] === 3,
      ),
      row(
        "  longest statement under the timeouts of production",
        `${longest.ms.toFixed(0)} ms, ${longest.overASecond} over 1 s (${longest.text.trim().replaceAll(/\s+/g, " ").slice(0, 90)})`,
        "≤ 1000 ms",
        longest.ms <= 1000,
      ),
      row(
        "  memory after each quarter",
        memory.map((mb) => `${mb.toFixed(0)} MB`).join(", "),
        "flat",
        peak <= first * 1.25 + 20,
      ),
    ];
  } finally {
    deps.clock.stop();
    await server.close();
    await db.close();
  }
}
