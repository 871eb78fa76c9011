import { execute, query, sql } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createCustomer, createHubNow, createProduct, newKey, PASSWORD } from "../../../test/factories.ts";
import { countDeadlocks } from "../../../test/locks.ts";
import { startProcess, type ServerProcess } from "../../../test/processes.ts";
import { race, type RawResponse, type RawRequest, send } from "../../../test/race.ts";

const market = await buildTestApp({ now: new Date().toISOString() });
const { db, deps } = market;
const hub = await createHubNow(db);
let servers: ServerProcess[] = [];

beforeAll(async () => {
  const start = () => startProcess({ databaseUrl: market.url, dataDir: market.dataDir });
  servers = await Promise.all(Array.from({ length: size(2, 3) }, start));
});

const portOf = (place: number) => servers[place % servers.length]!.port;

/** Logged-in customers, each with a separate cookie; the password is hashed once. */
async function shoppers(count: number) {
  const rows = await Promise.all(
    Array.from({ length: count }, () => createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper })),
  );
  const cookies: string[] = [];
  for (const { email } of rows) {
    const browser = market.shopper();
    expect((await browser.post("/auth/login", { username: email, password: PASSWORD })).status).toBe(200);
    cookies.push(browser.cookieHeader());
  }
  return rows.map((row, place) => ({ id: row.id, cookie: cookies[place]! }));
}

/** Puts the same lines into many carts in one statement. */
const fillCarts = (customers: readonly { id: number }[], lines: readonly { variantId: number; quantity: number }[]) =>
  execute(
    db,
    sql`with c as (
          insert into cart (customer_id) select unnest(${customers.map(({ id }) => id)}::int[])
          on conflict (customer_id) do update set version = cart.version + 1 returning id)
        insert into cart_item (cart_id, variant_id, quantity, seen_price_cents)
        select c.id, l."variantId", l.quantity, 650 from c, jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l ("variantId" int, quantity int)`,
  );

const checkout = (port: number, cookie: string, expectedTotal: number, key = newKey()): RawRequest => ({
  port,
  method: "POST",
  path: "/api/checkout",
  body: { ...CHOICE, expectedTotal },
  cookie,
  headers: { "idempotency-key": key },
});

const totalOf = async (cookie: string) => {
  const { body } = await send({ port: portOf(0), method: "POST", path: "/api/checkout/quote", cookie, body: CHOICE });
  return (body as { orderTotal: number }).orderTotal;
};

const answered = (results: PromiseSettledResult<RawResponse>[]) =>
  results.map((result) =>
    result.status === "fulfilled" ? result.value : { status: 0, headers: {}, body: [String(result.reason)] },
  );

describe("200 shoppers and the last 10 units", () => {
  test.each(Array.from({ length: size(2, 50, 5) }, (_, place) => place + 1))(
    "exactly 10 orders are placed (round %i)",
    { tags: ["fail:A1"] },
    async () => {
      const eggs = await createProduct(db, hub.id, { inventory: 10 });
      const manyShoppers = await createManyShoppers(200);
      await execute(
        db,
        sql`delete from cart_item where cart_id in (select id from cart where customer_id = any(${manyShoppers.map(({ id }) => id)}::int[]))`,
      );
      await execute(db, sql`update orders set status = 'pending' where status = 'open'`);
      await fillCarts(manyShoppers, [{ variantId: eggs.variant.id, quantity: 1 }]);
      const total = await totalOf(manyShoppers[0]!.cookie);
      const before = await countDeadlocks(db);
      const answers = answered(
        await race(manyShoppers.map(({ cookie }, place) => checkout(portOf(place), cookie, total))),
      );
      const by = (status: number) => answers.filter((answer) => answer.status === status);
      expect(
        by(201),
        JSON.stringify(answers.filter(({ status }) => status !== 201 && status !== 409).slice(0, 3)),
      ).toHaveLength(10);
      expect(by(409)).toHaveLength(190);
      for (const { body } of by(409))
        expect(body[1]).toMatchObject({ code: "sold_out", items: [{ variantId: eggs.variant.id, wanted: 1 }] });
      const placed = by(201).map(({ body }) => (body as { orderId: number }).orderId);
      expect(new Set(placed).size).toBe(10);
      const [offer] = await query(
        db,
        sql`select inventory from offer where variant_id = ${eggs.variant.id}::int`,
        z.object({ inventory: z.number() }),
      );
      expect(offer!.inventory).toBe(0);
      const charges = await query(
        db,
        sql`select count(*)::int as n from payment p join orders o on o.payment_id = p.id join order_item i on i.order_id = o.id
            where i.variant_id = ${eggs.variant.id}::int and p.state = 'authorized'`,
        z.object({ n: z.number() }),
      );
      expect(charges).toEqual([{ n: 10 }]);
      const watching = await query(
        db,
        sql`select count(*)::int as n from cart_item where variant_id = ${eggs.variant.id}::int and watching`,
        z.object({ n: z.number() }),
      );
      expect(watching).toEqual([{ n: 190 }]);
      expect(await countDeadlocks(db)).toBe(before);
      expect(await market.audit()).toEqual([]);
    },
  );
});

let manyShoppers: Awaited<ReturnType<typeof shoppers>> | undefined;
/** The same 200 customers are used in every round, because logging in is slow. */
async function createManyShoppers(count: number) {
  manyShoppers ??= await shoppers(count);
  return manyShoppers;
}

test(
  "checkout: two orders with the same two products in opposite order do not deadlock",
  { tags: ["fail:A3"] },
  async () => {
    const [first, second] = await shoppers(2);
    const a = await createProduct(db, hub.id, { inventory: 999 });
    const b = await createProduct(db, hub.id, { inventory: 999 });
    const before = await countDeadlocks(db);
    const rounds = size(10, 100, 20);
    for (let round = 0; round < rounds; round += 1) {
      await fillCarts(
        [first!],
        [
          { variantId: a.variant.id, quantity: 1 },
          { variantId: b.variant.id, quantity: 1 },
        ],
      );
      await fillCarts(
        [second!],
        [
          { variantId: b.variant.id, quantity: 1 },
          { variantId: a.variant.id, quantity: 1 },
        ],
      );
      const totals = await Promise.all([totalOf(first!.cookie), totalOf(second!.cookie)]);
      const answers = answered(
        await race([checkout(portOf(0), first!.cookie, totals[0]), checkout(portOf(1), second!.cookie, totals[1])]),
      );
      expect(
        answers.map(({ status }) => status),
        JSON.stringify(answers),
      ).toEqual([201, 201]);
    }
    expect(await countDeadlocks(db)).toBe(before);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "checkout: many concurrent requests for one cart place one order, with one idempotency key or many",
  { tags: ["fail:A5", "fail:V2"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 999 });
    const rounds = size(5, 50);
    for (let round = 0; round < rounds; round += 1) {
      const [sameKey, manyKeys] = await shoppers(2);
      await fillCarts([sameKey!, manyKeys!], [{ variantId: eggs.variant.id, quantity: 1 }]);
      const total = await totalOf(sameKey!.cookie);
      const clicks = 2 + (round % 9);
      const key = newKey();
      const same = answered(
        await race(Array.from({ length: clicks }, (_, place) => checkout(portOf(place), sameKey!.cookie, total, key))),
      );
      const ids = new Set(
        same.filter(({ status }) => status === 201).map(({ body }) => (body as { orderId: number }).orderId),
      );
      expect(ids.size, JSON.stringify(same)).toBe(1);
      for (const { status, body } of same)
        expect([201, 409]).toContain(status === 409 && body[1].code !== "still_running" ? 0 : status);
      const many = answered(
        await race(Array.from({ length: clicks }, (_, place) => checkout(portOf(place), manyKeys!.cookie, total))),
      );
      expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const { status, body } of many)
        if (status !== 201) expect([status, body[0]]).toEqual([409, "This cart was already checked out."]);
      for (const { id } of [sameKey!, manyKeys!]) expect(await db.order.count({ where: { customer_id: id } })).toBe(1);
    }
    expect(await market.audit()).toEqual([]);
  },
);
