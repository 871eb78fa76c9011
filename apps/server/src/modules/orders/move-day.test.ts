import { sqlTransaction } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  ADDRESS,
  CHOICE,
  createAddress,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  setCard,
  type TestHub,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { waitForLock } from "../../../test/locks.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek, sendReminders } from "../../jobs/week.ts";
import { forgetPerson } from "../account/delete-account.ts";
import { grantCredit } from "../gift-cards/grant-credit.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { renderMail } from "../mail/layout.ts";
import { renewHolds } from "../payments/renew-holds.ts";
import { closeDay } from "./close-day.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const job = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });

const DAY = "2026-11-26";
const NEXT = "2026-12-03";
const LATER = "2026-12-10";
/** The cutoffs of the three days. */
const [CUTOFF, NEXT_CUTOFF] = ["2026-11-25T06:00:01Z", "2026-12-02T06:00:01Z"] as const;
const MOVE = { orders: { kind: "move", to: NEXT }, reason: "snow storm", dryRun: false } as const;

/** A hub on Monday with its cycle open. */
async function openHub() {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50, title: "Eggs" });
  await db.offer.updateMany({ where: { hub_id: hub.id }, data: { weekly_inventory: 50 } });
  await runWeek(job());
  return { hub, eggs };
}
type Open = Awaited<ReturnType<typeof openHub>>;
type Line = ReturnType<Open["eggs"]["line"]>;
const shopper = ({ hub }: Open) => signIn(market, { hubId: hub.id });
type Browser = Awaited<ReturnType<typeof shopper>>;
/** Orders these lines; the number of the order. */
async function buy(browser: Browser, lines: readonly Line[], more: object = {}): Promise<number> {
  expect((await browser.put("/cart", [...lines])).status).toBe(200);
  const choice = { ...CHOICE, ...more };
  const quote = (await browser.post("/checkout/quote", choice)).body;
  const placed = await browser.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  return placed.body.orderId;
}
const deliveryOn = (hub: TestHub, day: string) =>
  hub.deliveries.find((each) => each.day.toISOString().startsWith(day))!.id;
const orderOf = (id: number) => db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
const stockOf = async ({ eggs }: Open) =>
  (await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory;
/** The mails of a customer, without confirmations. */
const mailsOf = (browser: Browser) =>
  db.mail.findMany({
    where: { to_email: browser.customer.email!, template: { not: "order-confirmation" } },
    orderBy: { id: "asc" },
  });
const textOf = async ({ template, data }: { template: string; data: unknown }) =>
  renderMail(
    (await deps.mailTemplates[template]!.content(deps, data as Record<string, unknown>, market.clock.now()))!,
    deps.env,
  ).text;

test(
  "a day moved to the next one: its box and add-on come then, join new add-ons, keep prices, units and money, and are charged at that day's cutoff",
  { tags: ["fail:C19"] },
  async () => {
    const open = await openHub();
    const { hub, eggs } = open;
    const who = await shopper(open);
    const box = await buy(who, [eggs.line(2)], { savePaymentMethod: true });
    const addOn = await buy(who, [eggs.line(1)]);
    const before = await orderOf(box);
    const stock = await stockOf(open);

    const planned = await closeDay(operator(), hub.slug, DAY, { ...MOVE, dryRun: true });
    expect(await db.hub_closure.count({ where: { hub_id: hub.id } })).toBe(0);
    expect((await orderOf(box)).delivery_id).toBe(deliveryOn(hub, DAY));
    expect(await mailsOf(who)).toEqual([]);
    const done = await closeDay(operator(), hub.slug, DAY, MOVE);
    expect(done).toEqual(planned);
    expect(done).toMatchObject({
      movedTo: NEXT,
      boxes: [
        {
          orderIds: [box, addOn],
          email: who.customer.email,
          joins: null,
          needsCard: false,
          unchargedCents: 0,
          backCents: 0,
        },
      ],
      bring: [{ units: 3, unsold: [] }],
      vendors: [],
      isNew: true,
    });
    expect(await orderOf(box)).toMatchObject({
      delivery_id: deliveryOn(hub, NEXT),
      status: "open",
      order_total_cents: before.order_total_cents,
      payment: { state: "authorized", amount_cents: before.payment!.amount_cents },
    });
    expect(await orderOf(addOn)).toMatchObject({
      delivery_id: deliveryOn(hub, NEXT),
      status: "open",
      add_on_to_id: box,
    });
    const [mail, ...others] = await mailsOf(who);
    expect([mail!.template, others]).toEqual(["order-moved", []]);
    const text = await textOf(mail!);
    expect(text).toContain(
      "There is no delivery on Thursday, November 26, so we moved your order to Thursday, December 3.",
    );
    expect(text).toContain("snow storm");
    expect(text).toContain("change or cancel your order until 1AM Wednesday, December 2.");
    expect(text).not.toContain("save a card");
    expect((await who.get(`/orders/${box}`)).body).toMatchObject({ deliveryDate: NEXT, status: "open" });

    // The units stay sold, and the new cycle has its whole weekly stock.
    expect(await stockOf(open)).toBe(stock);
    await runWeek(job());
    expect(await stockOf(open)).toBe(50);
    expect(await closeDay(operator(), hub.slug, DAY, MOVE)).toMatchObject({ boxes: [], waiting: [], isNew: false });
    expect(await mailsOf(who)).toHaveLength(1);
    const second = await buy(who, [eggs.line(1)], { savePaymentMethod: true });
    expect(await orderOf(second)).toMatchObject({ add_on_to_id: box, delivery_fee_cents: 0 });
    expect(await market.audit()).toEqual([]);

    // At the old cutoff nothing happens to it; the authorization is renewed before the new one.
    market.clock.set(CUTOFF);
    await runWeek(job());
    await sendReminders(job());
    expect(await db.snapshot_line.count({ where: { order_id: box } })).toBe(0);
    market.clock.set("2026-11-29T12:00:00Z");
    await renewHolds(job());
    expect((await orderOf(box)).payment!.authorized_at).toEqual(market.clock.now());
    market.clock.set(NEXT_CUTOFF);
    await runWeek(job());
    expect(await orderOf(box)).toMatchObject({
      status: "pending",
      payment: { state: "captured", captured_cents: before.order_total_cents },
    });
    expect(
      (await db.snapshot_line.findMany({ where: { box_order_id: box }, orderBy: { order_item_id: "asc" } })).map(
        (line) => [line.order_id, line.quantity],
      ),
    ).toEqual([
      [box, 2],
      [addOn, 1],
      [second, 1],
    ]);
    expect(await market.audit()).toEqual([]);
  },
);

test("a day moved to a later one than the next: its orders are future ones and open with that day's cycle", async () => {
  const open = await openHub();
  const { hub, eggs } = open;
  const who = await shopper(open);
  const id = await buy(who, [eggs.line(2)], { savePaymentMethod: true });
  await closeDay(operator(), hub.slug, DAY, { ...MOVE, orders: { kind: "move", to: LATER } });
  await runWeek(job());
  expect(await orderOf(id)).toMatchObject({ delivery_id: deliveryOn(hub, LATER), status: "future" });
  expect(await market.audit()).toEqual([]);
  market.clock.set(NEXT_CUTOFF);
  await runWeek(job());
  expect(await orderOf(id)).toMatchObject({ status: "open" });
  expect(await market.audit()).toEqual([]);
});

test("a moved order whose card is not saved: the dry run and the mail name it, and a card that is saved pays at the new cutoff", async () => {
  const open = await openHub();
  const { hub, eggs } = open;
  const who = await shopper(open);
  const id = await buy(who, [eggs.line(2)]);
  const done = await closeDay(operator(), hub.slug, DAY, MOVE);
  expect(done.boxes).toMatchObject([{ orderId: id, needsCard: true }]);
  const [mail] = await mailsOf(who);
  expect(await textOf(mail!)).toContain(
    "Please save a card by 1AM Wednesday, December 2; otherwise you can pay at the door.",
  );
  await setCard(db, who.customer.id);
  await runWeek(job());
  // The bank has released the authorization.
  const { charge_key: key } = (await orderOf(id)).payment!;
  await db.test_charge.updateMany({ where: { idempotency_key: key }, data: { state: "voided" } });
  market.clock.set(NEXT_CUTOFF);
  await runWeek(job());
  expect(await orderOf(id)).toMatchObject({ status: "pending", payment: { state: "captured" } });
  expect(await market.audit()).toEqual([]);
});

test("a moved box whose customer has a box of that day: it joins it at the same place without its delivery fee, and stays a box at another place", async () => {
  const open = await openHub();
  const { hub, eggs } = open;
  const turkey = await createProduct(db, hub.id, { title: "Turkey", preOrderDate: NEXT });
  const same = await shopper(open);
  const [before, sameBox] = [
    await buy(same, [turkey.line(1)], { savePaymentMethod: true }),
    await buy(same, [eggs.line(2)], { savePaymentMethod: true }),
  ];
  const other = await shopper(open);
  const otherBefore = await buy(other, [turkey.line(1)], { savePaymentMethod: true });
  const elsewhere = { ...ADDRESS, address: "99 Other Lane" };
  const otherBox = await buy(other, [eggs.line(1)], { savePaymentMethod: true, deliveryAddress: elsewhere });
  const { order_total_cents: total } = await orderOf(sameBox);

  const done = await closeDay(operator(), hub.slug, DAY, MOVE);
  expect(done.boxes).toMatchObject(
    [
      { orderId: sameBox, joins: before, beside: null, unchargedCents: 895 },
      { orderId: otherBox, joins: null, beside: otherBefore, unchargedCents: 0 },
    ].toSorted((a, b) => a.orderId - b.orderId),
  );
  expect(done.unchargedCents).toBe(895);
  expect(await orderOf(sameBox)).toMatchObject({
    add_on_to_id: before,
    delivery_fee_cents: 0,
    order_total_cents: total - 895,
  });
  expect((await orderOf(before)).delivery_fee_cents).toBe(895);
  expect(await orderOf(otherBox)).toMatchObject({ add_on_to_id: null, delivery_fee_cents: 895 });
  const [mail] = await mailsOf(same);
  expect(await textOf(mail!)).toContain("you don’t pay the $8.95 for its delivery");
  await runWeek(job());
  expect(await market.audit()).toEqual([]);
  market.clock.set(NEXT_CUTOFF);
  await runWeek(job());
  expect((await orderOf(sameBox)).payment).toMatchObject({ state: "captured", captured_cents: total - 895 });
  expect((await orderOf(otherBefore)).status).toBe("pending");
  expect(await market.audit()).toEqual([]);
});

test("a moved box of the same house as its customer's box of that day: it stays a box when the flat is another one", async () => {
  const open = await openHub();
  const { hub, eggs } = open;
  const turkey = await createProduct(db, hub.id, { title: "Turkey", preOrderDate: NEXT });
  const at = (address2: string) => ({ savePaymentMethod: true, deliveryAddress: { ...ADDRESS, address2 } });
  const who = await shopper(open);
  const there = await buy(who, [turkey.line(1)], at("Apt 4"));
  const box = await buy(who, [eggs.line(2)], at("Apt 5"));
  const neighbor = await shopper(open);
  const target = await buy(neighbor, [turkey.line(1)], at("Apt 4"));
  const joining = await buy(neighbor, [eggs.line(2)], at("#4"));
  const done = await closeDay(operator(), hub.slug, DAY, MOVE);
  expect(done.boxes).toMatchObject(
    [
      { orderId: box, joins: null, beside: there, unchargedCents: 0 },
      { orderId: joining, joins: target, beside: null, unchargedCents: 895 },
    ].toSorted((a, b) => a.orderId - b.orderId),
  );
  expect(await orderOf(box)).toMatchObject({ add_on_to_id: null, delivery_fee_cents: 895 });
  expect(await market.audit()).toEqual([]);
});

test("a moved order whose customer skipped the new day: it is moved, and the list and the mail name it", async () => {
  const open = await openHub();
  const { hub, eggs } = open;
  const [who, other] = [await shopper(open), await shopper(open)];
  const box = await buy(who, [eggs.line(2)], { savePaymentMethod: true });
  const otherBox = await buy(other, [eggs.line(1)], { savePaymentMethod: true });
  expect((await who.post("/subscriptions/skip", { deliveryDate: NEXT })).status).toBe(200);
  expect((await other.post("/subscriptions/skip", { deliveryDate: LATER })).status).toBe(200);
  const done = await closeDay(operator(), hub.slug, DAY, MOVE);
  expect(done.boxes).toMatchObject(
    [
      { orderId: box, isSkipped: true },
      { orderId: otherBox, isSkipped: false },
    ].toSorted((a, b) => a.orderId - b.orderId),
  );
  const [[mail], [plain]] = [await mailsOf(who), await mailsOf(other)];
  expect(await textOf(mail!)).toContain(
    "You skipped Thursday, December 3, but this order comes on that day unless you cancel it.",
  );
  expect(await textOf(plain!)).not.toContain("You skipped");
  expect(await market.audit()).toEqual([]);
});

test("a moved box that joins another: its fee returns as the store credit that paid it, an emptied order that had only the fee is canceled, and a pickup box stays as it is", async () => {
  const open = await openHub();
  const { hub, eggs } = open;
  const turkey = await createProduct(db, hub.id, { title: "Turkey", preOrderDate: NEXT });
  const saved = { savePaymentMethod: true };
  // Its first order is emptied and has only the fee.
  const emptied = await shopper(open);
  const there = await buy(emptied, [turkey.line(1)], saved);
  const [first, second] = [await buy(emptied, [eggs.line(1)], saved), await buy(emptied, [eggs.line(2)], saved)];
  expect((await emptied.post("/orders/edit-order", { order: { id: first, items: [] } })).status).toBe(200);
  const { payment_id: feePayment } = await orderOf(first);
  // Paid with store credit.
  const credited = await shopper(open);
  const target = await buy(credited, [turkey.line(1)], saved);
  await grantCredit(
    operator(),
    { id: asCustomerId(credited.customer.id), email: credited.customer.email },
    { amountCents: 10_000, reason: "thanks", key: null, dryRun: false },
  );
  const free = await buy(credited, [eggs.line(1)], { useCredit: true });
  const { order_total_cents: total } = await orderOf(free);
  const creditOf = async () =>
    (await db.customer.findUniqueOrThrow({ where: { id: credited.customer.id } })).credit_cents;
  expect(await creditOf()).toBe(10_000 - total);
  const picking = await shopper(open);
  const pickup = { ...saved, type: "pickup", pickupPointId: hub.pickup_points[0]!.id, deliveryAddress: undefined };
  const atPoint = await buy(picking, [turkey.line(1)], pickup);
  const picked = await buy(picking, [eggs.line(1)], pickup);

  const done = await closeDay(operator(), hub.slug, DAY, MOVE);
  const boxOf = (id: number) => done.boxes.find(({ orderIds }) => orderIds.includes(id));
  expect(boxOf(second)).toMatchObject({ joins: there, unchargedCents: 895, creditCents: 0 });
  expect(await orderOf(first)).toMatchObject({ status: "cancelled", order_total_cents: 0 });
  expect(await db.payment.findUniqueOrThrow({ where: { id: feePayment! } })).toMatchObject({ state: "voided" });
  expect(await orderOf(second)).toMatchObject({ add_on_to_id: there, delivery_id: deliveryOn(hub, NEXT) });
  expect(boxOf(free)).toMatchObject({ joins: target, unchargedCents: 0, creditCents: 895 });
  expect(await creditOf()).toBe(10_000 - total + 895);
  expect(boxOf(picked)).toMatchObject({ joins: atPoint, unchargedCents: 0, creditCents: 0 });
  await runWeek(job());
  expect(await market.audit()).toEqual([]);
  market.clock.set(NEXT_CUTOFF);
  await runWeek(job());
  expect(await market.audit()).toEqual([]);
});

test("a moved automatic order: its subscription is next due after the new day, whose automatic order is an add-on of what is due then", async () => {
  const open = await openHub();
  const { hub, eggs } = open;
  const milk = await createProduct(db, hub.id, { title: "Milk", inventory: 20 });
  const who = await shopper(open);
  await createAddress(db, who.customer.id);
  await setCard(db, who.customer.id);
  await who.put("/subscriptions/status", { enabled: true, status: 2 });
  const subscribe = (product: typeof eggs) =>
    who.post("/subscriptions", {
      productId: product.id,
      variantId: product.variant.id,
      qty: 1,
      subscription_interval: 1,
    });
  expect((await subscribe(eggs)).status).toBe(200);
  market.clock.set("2026-11-23T18:00:00Z");
  await runAutoCheckouts(job());
  const auto = await db.order.findFirstOrThrow({ where: { customer_id: who.customer.id } });
  // Someone else had theirs of that day, in another market.
  const other = await createCustomer(db, { hubId: (await createHub(db)).id, pepper: deps.env.pepper });
  const theirs = { customer_id: other.id, variant_id: eggs.variant.id };
  await db.subscription.create({ data: { ...theirs, quantity: 1, interval_weeks: 1, last_day: new Date(DAY) } });
  await closeDay(operator(), hub.slug, DAY, MOVE);
  expect(await db.subscription.findFirstOrThrow({ where: theirs })).toMatchObject({ last_day: new Date(DAY) });
  expect((await subscribe(milk)).status).toBe(200);
  await runWeek(job());
  const lastDay = async () =>
    (
      await db.subscription.findFirstOrThrow({ where: { customer_id: who.customer.id, variant_id: eggs.variant.id } })
    ).last_day!.toISOString();
  expect(await lastDay()).toContain(NEXT);
  market.clock.set("2026-11-30T18:00:00Z");
  await runAutoCheckouts(job());
  const orders = await db.order.findMany({
    where: { customer_id: who.customer.id },
    include: { items: true },
    orderBy: { created_at: "asc" },
  });
  expect(orders).toMatchObject([
    { id: auto.id, delivery_id: deliveryOn(hub, NEXT), add_on_to_id: null, items: [{ variant_id: eggs.variant.id }] },
    { add_on_to_id: auto.id, source: "auto", items: [{ variant_id: milk.variant.id }] },
  ]);
  expect((await mailsOf(who)).map(({ template }) => template)).toEqual(["order-moved"]);
  expect(await market.audit()).toEqual([]);
});

test.each([
  ["an earlier day", "2026-11-19", "not_later", "Orders move to a later day. Give one after 2026-11-26."],
  ["the day itself", DAY, "not_later", "Give one after 2026-11-26."],
  [
    "a date without a delivery",
    "2026-11-28",
    "not_found",
    "takes no orders for 2026-11-28. It does for 2026-12-03, 2026-12-10, 2026-12-17.",
  ],
])("a move to %s is refused, and nothing changes", async (_what, to, code, message) => {
  const open = await openHub();
  const who = await shopper(open);
  const id = await buy(who, [open.eggs.line(1)]);
  await expect(
    closeDay(operator(), open.hub.slug, DAY, { ...MOVE, orders: { kind: "move", to } }),
  ).rejects.toMatchObject({ message: expect.stringContaining(message), details: { code } });
  expect(await db.hub_closure.count({ where: { hub_id: open.hub.id } })).toBe(0);
  expect((await orderOf(id)).delivery_id).toBe(deliveryOn(open.hub, DAY));
});

test("a move after the cutoff, or to a closed day, is refused", async () => {
  const open = await openHub();
  const who = await shopper(open);
  await buy(who, [open.eggs.line(1)]);
  await closeDay(operator(), open.hub.slug, NEXT, { ...MOVE, orders: null });
  await expect(closeDay(operator(), open.hub.slug, DAY, MOVE)).rejects.toMatchObject({
    message: expect.stringContaining("takes no orders for 2026-12-03. It does for 2026-12-10,"),
  });
  market.clock.set(CUTOFF);
  await runWeek(job());
  await expect(
    closeDay(operator(), open.hub.slug, DAY, { ...MOVE, orders: { kind: "move", to: LATER } }),
  ).rejects.toMatchObject({ details: { code: "orders_closed" } });
});

test("a move that is killed before its commit changes nothing, and the next run moves everything once", async () => {
  const open = await openHub();
  const who = await shopper(open);
  const id = await buy(who, [open.eggs.line(1)], { savePaymentMethod: true });
  points.plan["close-day:before-commit"] = "throw";
  await expect(closeDay(operator(), open.hub.slug, DAY, MOVE)).rejects.toThrow("failpoint");
  delete points.plan["close-day:before-commit"];
  expect((await orderOf(id)).delivery_id).toBe(deliveryOn(open.hub, DAY));
  expect([await db.hub_closure.count({ where: { hub_id: open.hub.id } }), await mailsOf(who)]).toEqual([0, []]);
  const results = await Promise.all([
    closeDay(operator(), open.hub.slug, DAY, MOVE),
    closeDay(operator(), open.hub.slug, DAY, MOVE),
  ]);
  expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect((await orderOf(id)).delivery_id).toBe(deliveryOn(open.hub, NEXT));
  expect(await mailsOf(who)).toHaveLength(1);
  expect(await market.audit()).toEqual([]);
});

test("a day that is being moved: a shopper's edit waits and changes the moved order, and a checkout at the bank is refused and its money released", async () => {
  const open = await openHub();
  const editor = await shopper(open);
  const id = await buy(editor, [open.eggs.line(3)], { savePaymentMethod: true });
  const paying = await shopper(open);
  await paying.put("/cart", [open.eggs.line(1)]);
  const choice = { ...CHOICE, card: { ...GOOD_CARD, number: "4000002500003155" } };
  const { orderTotal } = (await paying.post("/checkout/quote", choice)).body;
  const held = await paying.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(held.status).toBe(202);

  const gate = Promise.withResolvers<void>();
  points.plan["close-day:before-commit"] = { until: gate.promise };
  points.passed.length = 0;
  const reached = points.reached("close-day:before-commit");
  const moving = closeDay(operator(), open.hub.slug, DAY, MOVE);
  await reached;
  const edit = editor.post("/orders/edit-order", {
    order: { id, items: [{ quantity: 1, product: { variant: { id: open.eggs.variant.id } } }] },
  });
  await waitForLock(db, edit);
  gate.resolve();
  await moving;
  delete points.plan["close-day:before-commit"];
  const { status, body } = await edit;
  expect([status, body.deliveryDate, body.items[0].quantity]).toEqual([200, NEXT, 1]);
  const approved = await paying.post(`/checkout/${held.body.challenge.attemptId}/complete`, { approve: true });
  expect([approved.status, approved.body[1].code]).toEqual([409, "past_cutoff"]);
  expect(await db.order.count({ where: { customer_id: paying.customer.id } })).toBe(0);
  expect(await db.payment.findMany({ where: { customer_id: paying.customer.id } })).toMatchObject([
    { state: "voided" },
  ]);
  await runWeek(job());
  expect(await market.audit()).toEqual([]);
});

test("a moved day with an order of a deleted account and one without a customer: both move without an email, and customers whose automatic order was still to come are emailed", async () => {
  const open = await openHub();
  const { hub, eggs } = open;
  const [deleted, lost, waiting] = [await shopper(open), await shopper(open), await shopper(open)];
  const [deletedId, lostId] = [await buy(deleted, [eggs.line(1)]), await buy(lost, [eggs.line(2)])];
  await waiting.put("/cart", [eggs.line(1)]);
  await waiting.put("/subscriptions/status", { enabled: true, status: 1 });
  await sqlTransaction(db, (tx) =>
    forgetPerson(tx, { deps, now: market.clock.now() }, asCustomerId(deleted.customer.id), deleted.customer.email!),
  );
  await db.order.update({ where: { id: lostId }, data: { customer_id: null } });
  const done = await closeDay(operator(), hub.slug, DAY, MOVE);
  expect(done.boxes.toSorted((a, b) => a.orderId - b.orderId)).toMatchObject(
    [deletedId, lostId].toSorted((a, b) => a - b).map((orderId) => ({ orderId, email: null, joins: null })),
  );
  expect(done.waiting).toMatchObject([{ customerId: waiting.customer.id }]);
  for (const id of [deletedId, lostId]) {
    expect((await orderOf(id)).delivery_id).toBe(deliveryOn(hub, NEXT));
    expect(await db.mail.count({ where: { key: { startsWith: `order-moved:${id}:` } } })).toBe(0);
  }
  expect((await mailsOf(waiting)).map(({ template }) => template)).toEqual(["auto-checkout-off"]);
  // The order has its customer again, as the sale is booked with it.
  await db.order.update({ where: { id: lostId }, data: { customer_id: lost.customer.id } });
  await runWeek(job());
  expect(await market.audit()).toEqual([]);
});
