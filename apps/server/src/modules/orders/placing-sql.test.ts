import { execute, queryOne, sql, sqlTransaction } from "@marketday/db";
import { expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createBundle, createHub, createProduct } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { waitForLock } from "../../../test/locks.ts";
import { signIn } from "../../../test/sign-in.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db } = market;

test.each([
  ["raised from 2 to 3 while the order is written keeps only the one that was not bought", 3, [1]],
  ["lowered from 2 to 1 while the order is written is gone", 1, []],
])("checkout: a line that is %s", async (_what, quantity, left) => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50 });
  const bread = await createProduct(db, hub.id, { inventory: 50 });
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [eggs.line(2), bread.line(1)]);
  const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
  const gate = Promise.withResolvers<void>();
  points.passed.length = 0;
  points.plan["checkout:ordered"] = { until: gate.promise };
  const placed = who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
  await points.reached("checkout:ordered");
  delete points.plan["checkout:ordered"];
  // A writer that does not lock the cart has the line locked when the placing transaction reads it.
  const line = sql`cart_id = (select id from cart where customer_id = ${who.customer.id}::int) and variant_id = ${eggs.variant.id}::int`;
  await sqlTransaction(db, async (tx) => {
    await execute(tx, sql`update cart_item set quantity = ${quantity}::int where ${line}`);
    gate.resolve();
    await waitForLock(db, placed);
  });
  expect((await placed).status).toBe(201);
  const lines = await queryOne(
    db,
    sql`select coalesce(array_agg(quantity), '{}') as quantities from cart_item where ${line}`,
    z.object({ quantities: z.array(z.number()) }),
  );
  expect(lines!.quantities).toEqual(left);
  const { items } = (await who.get("/cart")).body;
  expect(items).toHaveLength(left.length);
  expect(await market.audit()).toEqual([]);
});

test("checkout: the subscription of another customer to the same product or bundle is not marked as ordered", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50 });
  const bundle = await createBundle(db, [hub.id], { items: [{ product: eggs }] });
  const [buyer, other] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
  const item = { productId: eggs.id, variantId: eggs.variant.id, qty: 1, subscription_interval: 1 };
  for (const who of [buyer, other]) {
    expect((await who.post("/subscriptions", item)).status).toBe(200);
    expect((await who.post(`/bundles/${bundle.id}`, { subscription_interval: 1 })).status).toBe(200);
  }
  const { orderTotal } = (await buyer.post("/checkout/quote", CHOICE)).body;
  expect((await buyer.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).status).toBe(201);
  const daysOf = async (who: typeof buyer) => {
    const of = { where: { customer_id: who.customer.id } };
    const rows = [await db.subscription.findFirstOrThrow(of), await db.bundle_subscription.findFirstOrThrow(of)];
    return rows.map(({ last_day: day }) => day);
  };
  const [{ day }] = hub.deliveries as [(typeof hub.deliveries)[number]];
  expect(await daysOf(buyer)).toEqual([day, day]);
  expect(await daysOf(other)).toEqual([null, null]);
});
