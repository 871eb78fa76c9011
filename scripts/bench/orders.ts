import { randomUUID } from "node:crypto";

import { createDb, type Db, execute, poolOf, query, raw, sql } from "@marketday/db";
import { migrate } from "@marketday/db/migrate";
import { buildApp } from "@marketday/server/app";
import { createDeps } from "@marketday/server/create-deps";
import { parseEnv } from "@marketday/server/env";
import { createLogger } from "@marketday/server/lib/logger";
import { CHOICE, createCustomer, createHubNow, createProduct, PASSWORD } from "@marketday/server/testing/factories";

import { type ChildServer, startChild } from "./child.ts";
import type { BenchMarket } from "./market.ts";
import { replayAs, type BareClient, recordStatements, replay } from "./recorded-order.ts";
import type { Row } from "./table.ts";

const CLIENTS = 8;
const ROUNDS = 5;
const ROUND_MS = 2500;
const PRICE_CENTS = 700;

/** A shopper with a product that no other one buys, and the statements of one of the shopper's orders. */
interface Client {
  customerId: number;
  variantId: number;
  cartItemId: number;
  cookie: string;
  total: number;
  statements: Awaited<ReturnType<typeof recordStatements>>;
  ids: { uuids: string[]; orderId: number };
}

/** Fills the cart of the next order and closes the previous order, so that each order is a separate box. Part of both rates. */
const fillCart = (
  db: Db,
  { customerId, variantId, cartItemId }: Omit<Client, "statements" | "ids" | "cookie" | "total">,
) =>
  execute(
    db,
    sql`with away as (update orders set status = 'pending' where customer_id = ${customerId}::int and status = 'open'),
          own as (insert into cart (customer_id) values (${customerId}::int) on conflict (customer_id) do update set version = cart.version + 1 returning id)
        insert into cart_item (id, cart_id, variant_id, quantity, seen_price_cents) select ${cartItemId}::int, own.id, ${variantId}::int, 1, ${PRICE_CENTS}::int from own`,
  );

async function makeClients(url: string, market: BenchMarket, db: Db): Promise<Client[]> {
  const env = parseEnv({ ...process.env, ...market.env, DATABASE_URL: url });
  const deps = await createDeps(env, url, createLogger("silent", false));
  const app = await buildApp(deps);
  try {
    const hub = await createHubNow(db);
    const clients: Client[] = [];
    for (let n = 0; n < CLIENTS; n += 1) {
      const { variant } = await createProduct(db, hub.id, { priceCents: PRICE_CENTS, inventory: 1_000_000 });
      const customer = await createCustomer(db, { hubId: hub.id, pepper: env.pepper });
      const ids = { customerId: customer.id, variantId: variant.id, cartItemId: 1_000_000 + n };
      let cookie = "";
      const post = async <T>(path: string, body: object, key: string = randomUUID()): Promise<T> => {
        const response = await app.inject({
          method: "POST",
          url: `/api${path}`,
          headers: { "sec-fetch-site": "same-origin", cookie, "idempotency-key": key },
          payload: body,
        });
        if (response.statusCode >= 300) throw new Error(`${path}: ${response.statusCode} ${response.body}`);
        cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join("; ") || cookie;
        return response.json<T>();
      };
      await post("/auth/login", { username: customer.email, password: PASSWORD });
      await fillCart(db, ids);
      const { orderTotal: total } = await post<{ orderTotal: number }>("/checkout/quote", CHOICE);
      const body = { ...CHOICE, expectedTotal: total };
      await post("/checkout", body);
      await fillCart(db, ids);
      const key = randomUUID();
      let orderId = 0;
      // The second order, because data that is loaded once is cached by then.
      const statements = await recordStatements(deps.db, async () => {
        ({ orderId } = await post<{ orderId: number }>("/checkout", body, key));
      });
      const [made] = await query<{ id: string; payment_id: string }>(
        db,
        sql`select a.id::text as id, a.payment_id::text as payment_id from checkout_attempt a join orders o on o.attempt_id = a.id where o.id = ${orderId}::int`,
      );
      const charge = await query<{ id: string }>(
        db,
        sql`select id from test_charge where idempotency_key = ${made!.id}`,
      );
      const uuids = [made!.id, made!.payment_id, key, ...charge.map(({ id }) => id)];
      clients.push({ ...ids, cookie, total, statements, ids: { uuids, orderId } });
    }
    return clients;
  } finally {
    await app.close();
    deps.clock.stop();
    await deps.db.close();
  }
}

/** Orders per second: each client places one after the other until the time is over. */
async function rateOf(
  clients: readonly Client[],
  place: (client: Client, n: number) => Promise<void>,
): Promise<number> {
  const started = performance.now();
  let placed = 0;
  await Promise.all(
    clients.map(async (client, n) => {
      while (performance.now() - started < ROUND_MS) {
        await place(client, n);
        placed += 1;
      }
    }),
  );
  return (placed * 1000) / (performance.now() - started);
}

/**
 * Orders per second of two servers for eight shoppers with different products, compared with the same statements sent by
 * bare pg clients. Alternating rounds, the best of each, because other processes only make a round slower.
 */
export async function benchOrders(market: BenchMarket): Promise<Row[]> {
  const admin = createDb({ url: market.databaseUrl });
  await execute(admin, sql`create database ${raw("bench_orders")}`);
  await admin.close();
  const url = new URL(market.databaseUrl);
  url.pathname = "/bench_orders";
  await migrate({ url: url.href });
  const db = createDb({ url: url.href, poolSize: CLIENTS * 2 });
  const servers: ChildServer[] = [];
  const bare: BareClient[] = [];
  try {
    const clients = await makeClients(url.href, market, db);
    for (let n = 0; n < CLIENTS; n += 1) bare.push(await poolOf(db).connect());
    for (let n = 0; n < 2; n += 1)
      servers.push(await startChild("child-main.ts", { ...market.env, DATABASE_URL: url.href }));
    const byServer = async (client: Client, n: number) => {
      await fillCart(db, client);
      const response = await fetch(`${servers[n % servers.length]!.address}/api/checkout`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "sec-fetch-site": "same-origin",
          "idempotency-key": randomUUID(),
          cookie: client.cookie,
        },
        body: JSON.stringify({ ...CHOICE, expectedTotal: client.total }),
      });
      const text = await response.text();
      if (response.status !== 201) throw new Error(`POST /checkout: ${response.status} ${text}`);
    };
    const byReplay = async (client: Client, n: number) => {
      await fillCart(db, client);
      await replay(bare[n]!, replayAs(client.statements, client.ids));
    };
    const countOf = async () =>
      (await query<{ orders: number }>(db, sql`select count(*)::int as orders from orders`))[0]!.orders;
    const before = await countOf();
    await byReplay(clients[0]!, 0);
    if ((await countOf()) !== before + 1) throw new Error("A replayed order is missing.");
    let [rate, bareRate] = [0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      bareRate = Math.max(bareRate, await rateOf(clients, byReplay));
      rate = Math.max(rate, await rateOf(clients, byServer));
    }
    return [
      {
        what: `orders placed, ${CLIENTS} clients, 2 servers, ${clients[0]!.statements.length} statements an order`,
        value: `${rate.toFixed(0)} orders/s, ${(rate / bareRate).toFixed(2)} of the same SQL by bare pg clients (${bareRate.toFixed(0)} orders/s)`,
        wanted: "≥ 0.25",
        good: rate / bareRate >= 0.25,
      },
    ];
  } finally {
    for (const client of bare) client.release();
    for (const server of servers) await server.stop();
    await db.close();
  }
}
