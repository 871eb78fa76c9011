import { addMs, Minute } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createBundle, createHub, createOrder, createProduct, type TestProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";

const market = await buildTestApp();
const { db, deps } = market;
const [D1, D2] = ["2026-11-26", "2026-12-03"] as const;
beforeEach(() => market.clock.set(MONDAY));

/** Two customers of one hub who subscribe to the same item. */
async function twoSubscribers() {
  const hub = await createHub(db);
  await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
  const eggs = await createProduct(db, hub.id);
  const anna = await signIn(market, { hubId: hub.id });
  const ben = await signIn(market, { hubId: hub.id });
  for (const who of [anna, ben]) await subscribe(who, eggs);
  return { hub, eggs, anna, ben };
}
type Who = Awaited<ReturnType<typeof signIn>>;
const subscribe = (who: Who, product: TestProduct) =>
  who.post("/subscriptions", {
    productId: product.id,
    variantId: product.variant.id,
    qty: 2,
    subscription_interval: 1,
  });
const statesOf = async (who: Who) =>
  (await who.get("/subscriptions/next-boxes")).body.map(({ state }: { state: string }) => state);

test("subscriptions: a pause, an undone skip and an end change nothing for another subscriber of the item", async () => {
  const { eggs, anna, ben } = await twoSubscribers();
  const before = (await ben.get("/subscriptions")).body;
  expect(before).toMatchObject([{ quantity: 2, pausedUntil: null, nextDate: D1 }]);
  await anna.post("/subscriptions/pause", { variantId: eggs.variant.id, until: D2 });
  expect((await anna.get("/subscriptions")).body).toMatchObject([{ pausedUntil: D2 }]);
  expect((await ben.get("/subscriptions")).body).toEqual(before);
  for (const who of [anna, ben]) await who.post("/subscriptions/skip", { deliveryDate: D1 });
  await anna.post("/subscriptions/skip", { deliveryDate: D1, skip: false });
  expect((await ben.get("/subscriptions")).body).toMatchObject([{ nextDate: D2 }]);
  await ben.post("/subscriptions/skip", { deliveryDate: D1, skip: false });
  await anna.delete("/subscriptions", { variantId: eggs.variant.id });
  expect((await anna.get("/subscriptions")).body).toEqual([]);
  expect((await ben.get("/subscriptions")).body).toEqual(before);
  expect((await ben.get("/cart")).body.items).toMatchObject([{ quantity: 2, subscription_interval: 1 }]);
});

test("subscriptions: one customer's automatic checkout and tip are not another's, and a contradiction changes nothing", async () => {
  const { anna, ben } = await twoSubscribers();
  await ben.put("/subscriptions/status", { enabled: true, status: 2 });
  await ben.put("/subscriptions/tip", { percentage: 5 });
  await anna.put("/subscriptions/status", { enabled: true, status: 1 });
  await anna.put("/subscriptions/tip", { percentage: 10 });
  for (const wrong of [
    { enabled: false, status: 1 },
    { enabled: true, status: 0 },
  ])
    expect((await anna.put("/subscriptions/status", wrong)).body[1]).toMatchObject({
      code: "invalid",
      field: "enabled",
    });
  const settingsOf = async (who: Who) => [
    (await who.get("/subscriptions/status")).body.status,
    (await who.get("/subscriptions/tip")).body.percentage,
  ];
  expect([await settingsOf(anna), await settingsOf(ben)]).toEqual([
    [1, 10],
    [2, 5],
  ]);
});

test("next boxes: another customer's skip, order and ended automatic checkout are not shown", async () => {
  const { hub, eggs, anna, ben } = await twoSubscribers();
  const [first, second, third] = hub.deliveries;
  await anna.post("/subscriptions/skip", { deliveryDate: D1 });
  const order = await createOrder(db, { customerId: anna.customer.id, hub, product: eggs, status: "open" });
  await db.order.update({ where: { id: order.id }, data: { source: "auto", delivery_id: second!.id } });
  const run = { step: "auto_checkout", state: "running", lease_until: first!.cutoff_at, started_at: MONDAY } as const;
  await db.delivery_run.create({ data: { ...run, delivery_id: third!.id, started_at: new Date(MONDAY) } });
  // Anna's is over, Ben is still tried.
  for (const { who, done_at } of [
    { who: anna, done_at: market.clock.now() },
    { who: ben, done_at: null },
  ])
    await db.auto_checkout_result.create({ data: { delivery_id: third!.id, customer_id: who.customer.id, done_at } });
  expect(await statesOf(anna)).toEqual(["skipped", "ordered", "closed"]);
  expect(await statesOf(ben)).toEqual(["planned", "planned", "planned"]);
  const boxes = (await ben.get("/subscriptions/next-boxes")).body;
  expect(boxes.map(({ orderIds }: { orderIds: number[] }) => orderIds)).toEqual([[], [], []]);
  await db.delivery_run.deleteMany({ where: { delivery_id: third!.id } });
  await db.auto_checkout_result.deleteMany({ where: { delivery_id: third!.id } });
});

test("recommendations: pages follow each other, and canceled orders and another customer's do not count", async () => {
  const { hub, eggs, anna, ben } = await twoSubscribers();
  const products = [];
  for (let n = 0; n < 3; n += 1) products.push(await createProduct(db, hub.id));
  const [often, lately, once] = products as [TestProduct, TestProduct, TestProduct];
  const canceled = await createProduct(db, hub.id);
  const at = (minutes: number) => addMs(market.clock.now(), minutes * Minute.ms);
  const order = (who: Who, product: TestProduct, minutes: number, status: "closed" | "cancelled" = "closed") =>
    createOrder(db, { customerId: who.customer.id, hub, product, createdAt: at(minutes), status });
  for (const minutes of [-9, -8]) await order(anna, often, minutes);
  await order(anna, lately, -1);
  await order(anna, once, -5);
  await order(anna, canceled, -3, "cancelled");
  await order(anna, eggs, -2);
  for (const minutes of [-7, -6, -4]) await order(ben, once, minutes);
  const page = async (number: number) => {
    const answer = await anna.get(`/subscriptions/recommendations?page=${number}&perPage=2`);
    return [answer.headers["x-total-results"], answer.body.map(({ id }: { id: number }) => id)];
  };
  expect([await page(1), await page(2), await page(3)]).toEqual([
    ["3", [often.id, lately.id]],
    ["3", [once.id]],
    ["3", []],
  ]);
});

test("subscriptions: a bundle and an item of it are two lines, and the end of one leaves the other in the cart", async () => {
  const { hub, eggs, anna } = await twoSubscribers();
  const bundle = await createBundle(db, [hub.id], { items: [{ product: eggs, quantity: 3 }] });
  expect((await anna.post(`/bundles/${bundle.id}`, { subscription_interval: 1 })).status).toBe(200);
  const lines = async () =>
    (
      await db.cart_item.findMany({
        where: { cart: { customer_id: anna.customer.id } },
        orderBy: { quantity: "asc" },
      })
    ).map(({ bundle_id, quantity }) => [bundle_id, quantity]);
  expect(await lines()).toEqual([
    [null, 2],
    [bundle.id, 3],
  ]);
  await anna.delete("/subscriptions", { variantId: eggs.variant.id });
  expect(await lines()).toEqual([[bundle.id, 3]]);
});
