import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createCustomer, createHub, createProduct, PASSWORD } from "../../../test/factories.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { renderMail } from "../mail/layout.ts";
import { chargeNow } from "./charge-now.ts";
import { recordPayments } from "./record-payment.ts";
import { refundOrder } from "./refund-order.ts";
import { shortOrder } from "./short-order.ts";
import { writeOffOrder } from "./write-off-order.ts";

const market = await buildTestApp();
const { db, deps } = market;
const MONDAY = "2026-11-23T17:00:00Z";
const AFTER = "2026-11-25T09:00:00Z";

const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const orderOf = (id: number) => db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });

async function buy(
  { post }: Pick<ReturnType<typeof market.shopper>, "post">,
  choice: object = CHOICE,
): Promise<number> {
  const { orderTotal } = (await post("/checkout/quote", choice)).body;
  const { status, body } = await post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.orderId;
}
const recordPayment = async (ctx: Context, id: number, reason = "", dryRun = false): Promise<number> =>
  (await recordPayments(ctx, [id], reason, dryRun))[0]!.cents;

test("paid: an order that closed, but whose card is not charged yet, is refused", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 10 });
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await browser.put("/cart", [eggs.line(1)]);
  const id = await buy(browser);
  // As after a kill between the end of the day and its charges.
  await db.order.update({ where: { id }, data: { status: "pending" } });
  await expect(recordPayment(operator(), id)).rejects.toMatchObject({ details: { code: "not_offline" } });
  expect(await orderOf(id)).toMatchObject({ status: "pending", payment: { state: "authorized" } });
  await db.order.update({ where: { id }, data: { status: "open" } });
});

test("paid at the door: recorded once, and a later day of the same checkout is paid separately", async () => {
  const offline = await buildTestApp({ url: market.url, env: { PAYMENTS: "offline" } });
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-01" });
  const row = await createCustomer(db, { hubId: hub.id, pepper: offline.deps.env.pepper });
  const browser = offline.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await browser.put("/cart", [eggs.line(1), turkey.line(1)]);
  const { card: _, ...choice } = CHOICE;
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  const { orderIds } = (await browser.post("/checkout", { ...choice, expectedTotal: orderTotal })).body;
  const [box, later] = orderIds as [number, number];
  expect((await browser.get(`/orders/${box}`)).body).toMatchObject({ isPaidAtDoor: true, paymentProblem: null });
  const ctx = (): Context => ({
    now: offline.clock.now(),
    actor: { type: "operator", name: "mara" },
    deps: offline.deps,
  });
  await expect(recordPayment(ctx(), box)).rejects.toMatchObject({ details: { code: "still_open" } });
  offline.clock.set(AFTER);
  await runWeek({ now: offline.clock.now(), actor: { type: "system", job: "week" }, deps: offline.deps });
  const refund = (to: "card" | "credit") =>
    refundOrder(ctx(), box, { amountCents: 100, to, reason: "The jar was broken.", key: null });
  await expect(refund("credit")).rejects.toMatchObject({ details: { code: "not_charged" } });
  const paid = await Promise.all([recordPayment(ctx(), box), recordPayment(ctx(), box)]);
  const boxed = await orderOf(box);
  expect(paid.toSorted((a, b) => a - b)).toEqual([0, boxed.order_total_cents]);
  const turkeys = await orderOf(later);
  expect(turkeys.payment).toMatchObject({ state: "authorized", amount_cents: turkeys.order_total_cents });
  // It was not paid by card, so nothing can go back to one.
  await expect(refund("card")).rejects.toMatchObject({ details: { code: "not_charged" } });
  expect(await refund("credit")).toMatchObject({ state: "done" });
  await expect(chargeNow(ctx(), later)).rejects.toMatchObject({ details: { code: "still_open" } });
  const missing = [{ variantId: eggs.variant.id, quantity: 1 }];
  const short = await shortOrder(ctx(), box, missing, { to: "card", reason: "The jar was broken." });
  expect((await browser.get(`/orders/${box}`)).body.refunds).toEqual({
    done: 1,
    underway: 0,
    byHand: short.backCents / 100,
    failed: 0,
  });
  market.clock.set(AFTER);
  expect(await market.audit()).toEqual([]);
});

test("paid at the door or written off: the amount, also on the sheets, is what store credit left to pay", async () => {
  const offline = await buildTestApp({ url: market.url, env: { PAYMENTS: "offline" } });
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  const { card: _, ...choice } = CHOICE;
  const customer = async (creditCents: number) => {
    const row = await createCustomer(db, { hubId: hub.id, pepper: offline.deps.env.pepper, creditCents });
    const browser = offline.shopper();
    await browser.post("/auth/login", { username: row.email, password: PASSWORD });
    return async () => {
      offline.clock.advance(1000);
      await browser.put("/cart", [eggs.line(1)]);
      return buy(browser, { ...choice, useCredit: creditCents > 0 });
    };
  };
  const [paid, unpaid] = [await (await customer(200))(), await (await customer(200))()];
  const { text } = renderMail(
    (await deps.mailTemplates["order-confirmation"]!.content(deps, { orderId: paid }, offline.clock.now()))!,
    deps.env,
  );
  expect(text).toContain("Paid from store credit: $2.00.");
  expect(text).not.toContain("Your card is authorized");
  const buyBoxed = await customer(0);
  const [box, addOn] = [await buyBoxed(), await buyBoxed()];
  offline.clock.set(AFTER);
  await runWeek({ now: offline.clock.now(), actor: { type: "system", job: "week" }, deps: offline.deps });
  const ctx: Context = { now: offline.clock.now(), actor: { type: "operator", name: "mara" }, deps: offline.deps };
  const due = (await orderOf(paid)).order_total_cents - 200;
  expect(await db.snapshot_box.findFirstOrThrow({ where: { order_id: paid } })).toMatchObject({ due_cents: due });
  await expect(chargeNow(ctx, paid)).rejects.toMatchObject({ details: { code: "offline" } });
  expect(await recordPayment(ctx, paid)).toBe(due);
  expect((await orderOf(paid)).payment).toMatchObject({ state: "captured", captured_cents: due });
  expect(await writeOffOrder(ctx, unpaid, "moved away")).toBe(due);

  // A written-off order is paid by its own number, after the unpaid rest of its box.
  const [boxDue, addOnDue] = [(await orderOf(box)).order_total_cents, (await orderOf(addOn)).order_total_cents];
  expect(await writeOffOrder(ctx, box, "moved away")).toBe(boxDue);
  await expect(recordPayment(ctx, box)).rejects.toMatchObject({
    details: { code: "written_off" },
    message: expect.stringContaining(`order ${addOn} of the same box is unpaid`),
  });
  expect(await recordPayment(ctx, addOn)).toBe(addOnDue);
  expect(await recordPayment(ctx, box)).toBe(boxDue);
  market.clock.set(AFTER);
  expect(await market.audit()).toEqual([]);
});
