import { queryOne, type Sql, sql } from "@marketday/db";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../../test/app.ts";
import { doorDays } from "../../../test/door-day.ts";
import {
  ADDRESS,
  CHOICE,
  createBundle,
  createHub,
  createOrder,
  createProduct,
  GOOD_CARD,
  PASSWORD,
  type TestProduct,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { countDeadlocks, holdTransaction, waitForLock } from "../../../test/locks.ts";
import type { Answer, Shopper } from "../../../test/shopper.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";
import { readSheets } from "../week/read-sheets.ts";
import { closeDay } from "./close-day.ts";
import { refundOrder } from "./refund-order.ts";
import { shortOrder } from "./short-order.ts";

// Two servers on one database, so that a paused checkout takes nothing from the other requests.
const points = failpoints();
const shop = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = shop;
const secrets = { SESSION_SECRET: deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: deps.env.pepper };
const other = await buildTestApp({ url: shop.url, env: secrets });
// Its orders are paid at the door.
const door = await buildTestApp({
  url: shop.url,
  env: { ...secrets, PAYMENTS: "offline" },
  overrides: { failpoint: points.at },
});
const { closedDay, operator, sumOf } = doorDays(door);
const hub = await createHub(db);
const eggs = await createProduct(db, hub.id, { inventory: 1000 });
const bread = await createProduct(db, hub.id, { inventory: 1000 });

beforeEach(() => {
  for (const point of Object.keys(points.plan)) delete points.plan[point];
  points.passed.length = 0;
});

/** The same browser at the other server. */
function elsewhere(browser: Shopper): Shopper {
  const same = other.shopper();
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return same;
}

const buyer = () => signIn(shop, { hubId: hub.id });

/** A checkout that saves its card, paused when its orders are inserted. */
async function pausedCheckout(browser: Shopper, ...lines: ReturnType<TestProduct["line"]>[]) {
  await browser.put("/cart", lines);
  const choice = { ...CHOICE, savePaymentMethod: true };
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  const gate = Promise.withResolvers<void>();
  points.plan["checkout:ordered"] = { until: gate.promise };
  const reached = points.reached("checkout:ordered");
  const response = browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
  await reached;
  return { response, resume: gate.resolve };
}

/** Locks rows in a separate transaction until `release` is called. */
const holdRows = (rows: Sql) => holdTransaction(db, sql`${rows} for update`);

test("checkout: saving its card while the customer logs in elsewhere causes no deadlock", async () => {
  const browser = await buyer();
  const guest = await guestOf(other, hub.id);
  await guest.put("/cart", [bread.line(2)]);
  const before = await countDeadlocks(db);
  const checkout = await pausedCheckout(browser, eggs.line(1));
  // A login ends the guest's sessions after it has locked the cart, and before it locks the customer.
  const release = await holdRows(
    sql`select id from session where guest_id = (select guest_id from cart where guest_id is not null order by id desc limit 1)`,
  );
  const login = guest.post("/auth/login", { username: browser.customer.email, password: PASSWORD });
  await waitForLock(db, login);
  checkout.resume();
  await waitForLock(db, checkout.response, 2);
  await release();
  expect([(await checkout.response).status, (await login).status]).toEqual([201, 200]);
  expect(await countDeadlocks(db)).toBe(before);
  const cart = { customer_id: browser.customer.id };
  expect(await db.cart_item.findMany({ where: { cart }, select: { variant_id: true, quantity: true } })).toEqual([
    { variant_id: bread.variant.id, quantity: 2 },
  ]);
  expect(await db.payment_method.count({ where: cart })).toBe(1);
  expect(await shop.audit()).toEqual([]);
});

test("checkout: an account that is deleted while its order is placed is kept, without a deadlock", async () => {
  const browser = await buyer();
  const before = await countDeadlocks(db);
  const checkout = await pausedCheckout(browser, eggs.line(1));
  const deletion = elsewhere(browser).delete("/account", { password: PASSWORD });
  await waitForLock(db, deletion);
  checkout.resume();
  const [placed, refused] = await Promise.all([checkout.response, deletion]);
  expect([placed.status, refused.status, refused.body[1]?.code]).toEqual([201, 409, "order_open"]);
  expect(await countDeadlocks(db)).toBe(before);
  expect(await shop.audit()).toEqual([]);
});

test.each([
  [
    "product",
    (browser: Shopper) =>
      browser.post("/subscriptions", {
        productId: eggs.id,
        variantId: eggs.variant.id,
        qty: 1,
        subscription_interval: 2,
      }),
  ],
  [
    "bundle",
    async (browser: Shopper) => {
      const breakfast = await db.bundle.findFirstOrThrow({ where: { title: "Breakfast" } });
      return browser.post(`/bundles/${breakfast.id}`, { subscription_interval: 2 });
    },
  ],
] as const)(
  "checkout: changing the subscription of a %s that is being ordered causes no deadlock",
  async (kind, subscribe) => {
    if (kind === "bundle")
      await createBundle(db, [hub.id], { title: "Breakfast", items: [{ product: eggs }, { product: bread }] });
    const browser = await buyer();
    expect((await subscribe(browser)).status).toBe(200);
    const { body } = await browser.get("/cart");
    expect(body.items).not.toEqual([]);
    const before = await countDeadlocks(db);
    const checkout = await pausedCheckout(browser);
    const change = subscribe(elsewhere(browser));
    await waitForLock(db, change);
    checkout.resume();
    expect([(await checkout.response).status, (await change).status]).toEqual([201, 200]);
    expect(await countDeadlocks(db)).toBe(before);
    expect(await shop.audit()).toEqual([]);
  },
);

test("checkout: replacing one at the bank while its day is closed and canceled ends both, and no order is left on the day", async () => {
  const street = await createHub(db);
  const ham = await createProduct(db, street.id, { inventory: 1000 });
  const neighbor = await signIn(shop, { hubId: street.id });
  const browser = await signIn(shop, { hubId: street.id });
  const [first] = street.deliveries;
  const place = async (who: Shopper, choice: object) => {
    await who.put("/cart", [ham.line(1)]);
    const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
    return () => who.post("/checkout", { ...choice, expectedTotal: orderTotal });
  };
  const choice = { ...CHOICE, savePaymentMethod: true };
  const bought = await (await place(neighbor, choice))();
  expect(bought.status, JSON.stringify(bought.body)).toBe(201);
  const atBank = await place(browser, { ...choice, card: { ...GOOD_CARD, number: "4000002500003155" } });
  expect((await atBank()).status).toBe(202);
  const again = await place(browser, choice);
  const gate = Promise.withResolvers<void>();
  points.plan["checkout:priced"] = { until: gate.promise };
  points.passed.length = 0;
  const reached = points.reached("checkout:priced");
  const replacing = again();
  await reached;
  // It holds the offers and has yet to lock the day; the other one holds the day and waits for the offers.
  const closing = closeDay(
    { now: shop.clock.now(), actor: { type: "operator", name: "mara" }, deps: other.deps },
    street.slug,
    first!.day.toISOString().slice(0, 10),
    { orders: { kind: "cancel", to: "card" }, reason: "snow storm", dryRun: false },
  );
  await waitForLock(db, closing);
  gate.resolve();
  const closed = await closing;
  expect(closed.boxes.map(({ orderIds }) => orderIds)).toContainEqual([bought.body.orderId]);
  expect((await replacing).status).toBeLessThan(500);
  expect(await db.order.count({ where: { delivery_id: first!.id, status: { not: "cancelled" } } })).toBe(0);
  expect(await shop.audit()).toEqual([]);
});

test.each([
  ["recorded", "door:recorded"],
  ["undone", "door:undone"],
] as const)(
  "money at the door: while it is %s, renewing the sheets of the day waits, without a deadlock",
  async (_, point) => {
    const { hub: depot, boxes, eggs: short, url, lead } = await closedDay({}, {}, {});
    const day = url.split("/").at(-2)!;
    const renew = () => readSheets(operator(), { hub: depot.slug, day, drivers: 1 });
    await renew();
    const lines = [{ variantId: short.variant.id, quantity: 1 }];
    await shortOrder(operator(), boxes[2]!, lines, { to: "credit", reason: "The hens were shy." });
    const orderIds = boxes.slice(0, 2);
    const record = async () => lead.post(`${url}/payments`, { orderIds, amount: await sumOf(orderIds) });
    if (point === "door:undone") expect((await record()).status).toBe(200);
    const before = await countDeadlocks(db);
    const gate = Promise.withResolvers<void>();
    points.plan[point] = { until: gate.promise };
    points.passed.length = 0;
    const reached = points.reached(point);
    const change = point === "door:undone" ? lead.post(`${url}/payments/undo`, { orderId: orderIds[0] }) : record();
    await reached;
    const delivery = sql`select d.id from delivery d where d.hub_id = ${depot.id}::int and d.day = ${day}::date`;
    expect(await queryOne(db, sql`${delivery} for update skip locked`, z.object({ id: z.number() }))).toBeNull();
    const sheets = renew();
    await waitForLock(db, sheets);
    gate.resolve();
    expect([(await change).status, (await sheets).isNew]).toEqual([200, true]);
    expect(await countDeadlocks(db)).toBe(before);
  },
);

test("account: deletion while an operator refunds a closed order as store credit causes no deadlock", async () => {
  const browser = await buyer();
  const { id } = browser.customer;
  const order = await createOrder(db, { customerId: id, hub, product: eggs });
  // Paid with store credit.
  await db.order.update({ where: { id: order.id }, data: { credit_cents: order.order_total_cents } });
  const before = await countDeadlocks(db);
  // A deletion ends the customer's sessions after it has locked the customer.
  const release = await holdRows(sql`select id from session where customer_id = ${id}::int`);
  const deletion = elsewhere(browser).delete("/account", { password: PASSWORD });
  await waitForLock(db, deletion);
  const refund = refundOrder({ now: shop.clock.now(), actor: { type: "operator", name: "mara" }, deps }, order.id, {
    amountCents: 100,
    to: "credit",
    reason: "The jar was broken.",
    key: null,
  });
  await waitForLock(db, refund, 2);
  await release();
  expect([(await deletion).status, (await refund).state]).toEqual([200, "done"]);
  expect(await countDeadlocks(db)).toBe(before);
});

const personalRows = async (id: number) => ({
  carts: await db.cart.count({ where: { customer_id: id } }),
  subscriptions: await db.subscription.count({ where: { customer_id: id } }),
  addresses: await db.address.count({ where: { customer_id: id } }),
  favorites: await db.favorite_product.count({ where: { customer_id: id } }),
  questions: await db.question.count({ where: { customer_id: id } }),
  customer: await db.customer.findUniqueOrThrow({
    where: { id },
    select: { email: true, password_hash: true, auto_checkout_status: true },
  }),
});

test.each<[string, (browser: Shopper) => Promise<Answer>]>([
  ["cart line", (browser) => browser.put("/cart", [eggs.line(1)])],
  ["discount code", (browser) => browser.put("/cart/discount", { code: "WELCOME" })],
  [
    "subscription",
    (browser) =>
      browser.post("/subscriptions", {
        productId: eggs.id,
        variantId: eggs.variant.id,
        qty: 1,
        subscription_interval: 2,
      }),
  ],
  ["address", (browser) => browser.put("/account/profile", { deliveryAddress: ADDRESS })],
  ["favorite", (browser) => browser.post(`/products/${eggs.id}/favorite`)],
  [
    "change of the password",
    (browser) => browser.post("/auth/update", { oldPassword: PASSWORD, newPassword: "a longer one than before" }),
  ],
  ["automatic checkout", (browser) => browser.put("/subscriptions/status", { enabled: true, status: 2 })],
  ["question", (browser) => browser.post(`/products/${eggs.id}/questions`, { question: "Are these from this week?" })],
])(
  "account: the first %s of a customer who is being deleted is refused, and no personal row is left",
  { tags: ["fail:L2"] },
  async (_, write) => {
    const browser = await buyer();
    const { id } = browser.customer;
    await db.discount_code.createMany({
      data: { code: "WELCOME", percent_ppm: 100_000, reason: "" },
      skipDuplicates: true,
    });
    await db.cart.deleteMany({ where: { customer_id: id } });
    await db.address.deleteMany({ where: { customer_id: id } });
    const before = await countDeadlocks(db);
    // A deletion ends the customer's sessions after it has locked the customer.
    const release = await holdRows(sql`select id from session where customer_id = ${id}::int`);
    const deletion = elsewhere(browser).delete("/account", { password: PASSWORD });
    await waitForLock(db, deletion);
    const late = write(browser);
    await waitForLock(db, late, 2);
    await release();
    expect((await deletion).status).toBe(200);
    const { status, body } = await late;
    expect([status, body[1]?.code]).toEqual([401, "session_expired"]);
    expect(await personalRows(id)).toEqual({
      carts: 0,
      subscriptions: 0,
      addresses: 0,
      favorites: 0,
      questions: 0,
      customer: { email: null, password_hash: null, auto_checkout_status: 0 },
    });
    expect(await countDeadlocks(db)).toBe(before);
  },
);

const CARDS = ["4242424242424242", "5555555555554444", "378282246310005"];

/** A customer with saved cards, the oldest first; the first one is the default. */
async function withCards(count: number) {
  const browser = await buyer();
  for (const number of CARDS.slice(0, count))
    expect((await browser.post("/payment-methods", { card: { ...GOOD_CARD, number } })).status).toBe(200);
  const saved = await db.payment_method.findMany({
    where: { customer_id: browser.customer.id },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  return { browser, ids: saved.map(({ id }) => id) };
}

const defaultCards = async (customerId: number) =>
  (await db.payment_method.findMany({ where: { customer_id: customerId, is_default: true } })).map(({ id }) => id);

test("cards: a card that is saved again while it becomes the default, with an order to charge, causes no deadlock", async () => {
  const { browser, ids } = await withCards(2);
  const { id } = browser.customer;
  const order = await createOrder(db, { customerId: id, hub, product: eggs });
  await db.order.update({ where: { id: order.id }, data: { charge_failed_at: shop.clock.now() } });
  const before = await countDeadlocks(db);
  // Saving a card locks the orders to charge, and then the customer.
  const release = await holdRows(sql`select id from customer where id = ${id}::int`);
  const saving = browser.post("/payment-methods", { card: { ...GOOD_CARD, number: CARDS[1] } });
  await waitForLock(db, saving);
  const choosing = elsewhere(browser).put(`/payment-methods/${ids[1]}/default`);
  await waitForLock(db, choosing, 2);
  await release();
  expect([(await saving).status, (await choosing).status]).toEqual([200, 200]);
  expect(await countDeadlocks(db)).toBe(before);
  expect(await defaultCards(id)).toEqual([ids[1]]);
});

test("cards: two new defaults at the same time leave one default, the second", async () => {
  const { browser, ids } = await withCards(3);
  const before = await countDeadlocks(db);
  const release = await holdRows(sql`select id from payment_method where id = ${ids[0]}::int`);
  const first = browser.put(`/payment-methods/${ids[2]}/default`);
  await waitForLock(db, first);
  const second = elsewhere(browser).put(`/payment-methods/${ids[1]}/default`);
  await waitForLock(db, second, 2);
  await release();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect(await countDeadlocks(db)).toBe(before);
  expect(await defaultCards(browser.customer.id)).toEqual([ids[1]]);
});
