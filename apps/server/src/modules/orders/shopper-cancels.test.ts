import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createAddress, createHub, createProduct, PASSWORD, setCard } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";
import { renderMail } from "../mail/layout.ts";

const market = await buildTestApp();
const { db, deps } = market;
const context = () => ({ now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps });
beforeEach(() => market.clock.set(MONDAY));

async function shopper() {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: 10 });
  const jam = await createProduct(db, hub.id, { priceCents: 500, inventory: 10 });
  const who = await signIn(market, { hubId: hub.id });
  const buy = async (lines: object[]) => {
    await who.put("/cart", lines);
    const choice = { ...CHOICE, savePaymentMethod: true };
    const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
    const placed = await who.post("/checkout", { ...choice, expectedTotal: orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    market.clock.advance(1000);
    return placed.body.orderIds as number[];
  };
  const edit = (id: number, ...lines: { variantId: number; quantity: number }[]) =>
    who.post("/orders/edit-order", {
      order: {
        id,
        items: lines.map(({ variantId, quantity }) => ({ quantity, product: { variant: { id: variantId } } })),
      },
    });
  return { hub, eggs, jam, who, buy, edit };
}

test(
  "account: it can be deleted after the shopper has emptied a box, its add-on and a pre-order",
  { tags: ["fail:M6"] },
  async () => {
    const { hub, eggs, jam, who, buy, edit } = await shopper();
    const turkey = await createProduct(db, hub.id, { preOrderDate: "2026-12-20" });
    const [box, later] = await buy([eggs.line(1), turkey.line(1)]);
    const [added] = await buy([jam.line(1)]);
    const refused = await who.delete("/account", { password: PASSWORD });
    expect([refused.status, refused.body[1].code]).toEqual([409, "order_open"]);
    for (const id of [box!, added!, later!]) expect((await edit(id)).status).toBe(200);
    expect((await who.get("/orders")).body).toEqual({ payload: [] });
    expect((await who.delete("/account", { password: PASSWORD })).status).toBe(200);
    const payments = await db.payment.findMany({ where: { customer_id: who.customer.id } });
    expect(payments.map(({ state }) => state)).toEqual(["voided", "voided"]);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "auto-checkout: an add-on order can be lowered, promoted to first order, and canceled until the cutoff",
  { tags: ["fail:M6"] },
  async () => {
    const { eggs, jam, who, buy, edit } = await shopper();
    const [box] = await buy([eggs.line(1)]);
    await runWeek(context());
    if ((await db.address.count({ where: { customer_id: who.customer.id } })) === 0)
      await createAddress(db, who.customer.id);
    await setCard(db, who.customer.id);
    await who.put("/subscriptions/status", { enabled: true, status: 1 });
    await who.put("/cart", [jam.line(3)]);
    market.clock.set("2026-11-23T18:00:00Z");
    await runAutoCheckouts(context());
    const { id: auto } = await db.order.findFirstOrThrow({ where: { customer_id: who.customer.id, source: "auto" } });
    expect((await who.get(`/orders/${auto}`)).body).toMatchObject({ id: box, addOns: { items: [{ quantity: 3 }] } });
    // One jam without a tip: 5.00, tax 0.35, card 0.45.
    const lowered = await edit(auto, { variantId: jam.variant.id, quantity: 1 });
    expect(lowered.body).toMatchObject({ id: box, addOns: { orderTotal: 5.8, items: [{ quantity: 1 }] } });
    expect((await edit(box!)).body).toMatchObject({ id: auto, fees: { delivery: 8.95 }, orderTotal: 14.75 });
    expect((await edit(auto)).body).toEqual({ deleted: true });
    expect(await market.audit()).toEqual([]);
    market.clock.set("2026-11-25T06:00:00Z");
    await runWeek(context());
    expect(await db.payment.count({ where: { customer_id: who.customer.id, state: "captured" } })).toBe(0);
    expect(await market.audit()).toEqual([]);
  },
);

test("support: a problem reported with an add-on's number is confirmed under the number of its box", async () => {
  const { eggs, jam, buy } = await shopper();
  const [box] = await buy([eggs.line(1)]);
  const [added] = await buy([jam.line(1)]);
  const content = await deps.mailTemplates["problem-received"]!.content(deps, { orderId: added! }, market.clock.now());
  const { subject, text } = renderMail(content!, deps.env);
  expect(subject).toContain(String(box));
  expect(text).toContain(`/order-complete/${box}`);
  expect(`${subject} ${text}`).not.toContain(String(added));
});
