import { describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createAddress, createHub, createProduct, PASSWORD, setCard, type TestHub } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek, sendReminders } from "../../jobs/week.ts";
import { renderMail } from "../mail/layout.ts";

const points = failpoints();
const market = await buildTestApp({ now: MONDAY, overrides: { failpoint: points.at } });
const { db, deps } = market;
/** Of the first delivery: auto-checkout, a moment after it, and cutoff. Then the reminder and auto-checkout of the second. */
const [RUN, LATER, CUTOFF] = ["2026-11-23T18:00:00Z", "2026-11-24T00:01:00Z", "2026-11-25T06:00:00Z"];
const [NEXT_OPEN, NEXT_RUN] = ["2026-11-25T06:10:00Z", "2026-11-30T18:00:00Z"];

const context = (at: string) => {
  market.clock.set(at);
  return { now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps };
};
const auto = (at: string) => runAutoCheckouts(context(at));

/** Markets whose first cycle is open. */
async function openHubs(...all: Parameters<typeof createHub>[1][]): Promise<TestHub[]> {
  const hubs = [];
  market.clock.set(MONDAY);
  for (const options of all) hubs.push(await createHub(db, options));
  await runWeek(context(MONDAY));
  return hubs;
}

type Receives = "pickup" | "delivery";
async function automatic(hub: TestHub, receives: Receives = "pickup", status = 1) {
  const who = await signIn(market, { hubId: hub.id });
  await setCard(db, who.customer.id, "4242424242424242");
  if (receives === "delivery") await createAddress(db, who.customer.id);
  else await who.put("/account/profile", { pickupPointId: hub.pickup_points[0]!.id });
  await who.put("/subscriptions/status", { enabled: true, status });
  return who;
}
type Who = Awaited<ReturnType<typeof automatic>>;

/** The customer logs in where a guest of a market filled a cart. */
async function loginWith(who: Who, hub: TestHub, ...lines: object[]): Promise<void> {
  const browser = market.shopper();
  expect((await browser.post(`/auth/guest?hubId=${hub.id}`)).status).toBe(200);
  expect((await browser.put("/cart", lines)).status).toBe(200);
  const { status } = await browser.post("/auth/login", { username: who.customer.email, password: PASSWORD });
  expect(status).toBe(200);
}

type Product = Awaited<ReturnType<typeof createProduct>>;
const subscribe = (who: Who, { id, variant }: Product, qty: number) =>
  who.post("/subscriptions", { productId: id, variantId: variant.id, qty, subscription_interval: 1 });
const ordered = async (who: Who) =>
  (
    await db.order.findMany({
      where: { customer_id: who.customer.id, source: "auto", status: { not: "cancelled" } },
      include: { items: { orderBy: { id: "asc" } } },
      orderBy: { created_at: "asc" },
    })
  ).map(({ items }) => items.map(({ variant_id, quantity }) => [variant_id, quantity]));
const resultOf = (who: Who) => db.auto_checkout_result.findFirst({ where: { customer_id: who.customer.id } });
const mailsTo = (who: Who) => db.mail.findMany({ where: { to_email: who.customer.email! }, orderBy: { id: "asc" } });
const templatesTo = async (who: Who) => (await mailsTo(who)).map(({ template }) => template);
async function textOf({ template, data }: { template: string; data: unknown }): Promise<string> {
  const content = await deps.mailTemplates[template]!.content(deps, data as never, market.clock.now());
  return content ? renderMail(content, deps.env).text : "";
}
const publish = async (hub: TestHub, is_published: boolean) => {
  await db.hub.update({ where: { id: hub.id }, data: { is_published } });
  await market.waitForNotifications();
};
const boxesOf = async (who: Who) => (await who.get("/subscriptions/next-boxes")).body;

describe("a market that is not published", () => {
  test("before the run: no automatic order for pickup or home delivery, no reminder, no mail, and no wrong reason", async () => {
    const [hub] = await openHubs({});
    const eggs = await createProduct(db, hub!.id);
    const shoppers = [await automatic(hub!, "pickup"), await automatic(hub!, "delivery")];
    for (const who of shoppers) await who.put("/cart", [eggs.line(1)]);
    await publish(hub!, false);
    for (const who of shoppers) {
      expect(await boxesOf(who)).toEqual([]);
      expect((await who.get("/account/profile")).body.fulfillment.problem).toBeNull();
    }
    await sendReminders(context(MONDAY));
    await auto(RUN);
    await auto(CUTOFF);
    for (const who of shoppers) {
      expect(await ordered(who)).toEqual([]);
      expect(await templatesTo(who)).toEqual([]);
    }
    expect(await db.delivery_run.findMany({ where: { delivery: { hub_id: hub!.id }, step: "auto_checkout" } })).toEqual(
      [],
    );
  });

  test("during the run: the try orders nothing and writes no mail, and one after the market is published again orders", async () => {
    const [hub] = await openHubs({});
    const eggs = await createProduct(db, hub!.id);
    const who = await automatic(hub!);
    await who.put("/cart", [eggs.line(1)]);
    const offline = Promise.withResolvers<void>();
    points.passed.length = 0;
    points.plan["auto:claimed"] = { until: offline.promise };
    const reached = points.reached("auto:claimed");
    const running = auto(RUN);
    await reached;
    delete points.plan["auto:claimed"];
    await publish(hub!, false);
    offline.resolve();
    await running;
    expect(await resultOf(who)).toMatchObject({ outcome: "closed", done_at: null });
    expect(await ordered(who)).toEqual([]);
    expect(await templatesTo(who)).toEqual([]);
    await publish(hub!, true);
    await auto(LATER);
    expect(await ordered(who)).toEqual([[[eggs.variant.id, 1]]]);
    expect(await market.audit()).toEqual([]);
  });

  test("a reminder that is in the queue when the market is taken offline says nothing", async () => {
    const [hub] = await openHubs({});
    const eggs = await createProduct(db, hub!.id);
    const who = await automatic(hub!);
    await who.put("/cart", [eggs.line(1)]);
    await sendReminders(context(MONDAY));
    const [soon] = await mailsTo(who);
    expect(await textOf(soon!)).toContain(eggs.title);
    await publish(hub!, false);
    expect(await textOf(soon!)).toBe("");
  });
});

describe("quantities of another market", () => {
  test("login: a subscribed line keeps its quantity and market, and the automatic order takes it", async () => {
    const [lakeside, carmel] = await openHubs({}, {});
    const honey = await createProduct(db, lakeside!.id, { hubs: [lakeside!.id, carmel!.id] });
    const who = await automatic(lakeside!);
    await subscribe(who, honey, 1);
    await loginWith(who, carmel!, honey.line(6));
    expect((await who.get("/cart")).body).toMatchObject({ otherMarket: null, items: [{ quantity: 1 }] });
    expect((await boxesOf(who))[0].lines).toMatchObject([{ quantity: 1 }]);
    await auto(RUN);
    expect(await ordered(who)).toEqual([[[honey.variant.id, 1]]]);
  });

  test("a cycle that opens: a due line has the subscription's quantity, not the one that was chosen in another market", async () => {
    const [lakeside, carmel] = await openHubs({}, {});
    const honey = await createProduct(db, lakeside!.id, { hubs: [lakeside!.id, carmel!.id] });
    const who = await automatic(lakeside!, "pickup", 2);
    await subscribe(who, honey, 1);
    await auto(RUN);
    await loginWith(who, carmel!, honey.line(6));
    expect((await boxesOf(who))[1].lines).toMatchObject([{ quantity: 1 }]);
    await runWeek(context(NEXT_OPEN));
    expect((await who.get("/cart")).body).toMatchObject({ otherMarket: null, items: [{ quantity: 1 }] });
    await auto(NEXT_RUN);
    expect(await ordered(who)).toEqual([[[honey.variant.id, 1]], [[honey.variant.id, 1]]]);
  });

  test("login: a line of the account's own market stays one, unless the guest wanted more of it", async () => {
    const [lakeside, carmel] = await openHubs({}, {});
    const hubs = [lakeside!.id, carmel!.id];
    const [honey, jam] = [await createProduct(db, hubs[0]!, { hubs }), await createProduct(db, hubs[0]!, { hubs })];
    const who = await automatic(lakeside!);
    await who.put("/cart", [honey.line(2), jam.line(2)]);
    await loginWith(who, carmel!, honey.line(2), jam.line(3));
    const lines = await db.cart_item.findMany({
      where: { cart: { customer_id: who.customer.id } },
      orderBy: { variant_id: "asc" },
    });
    expect(lines.map(({ variant_id, quantity, hub_id }) => [variant_id, quantity, hub_id])).toEqual([
      [honey.variant.id, 2, lakeside!.id],
      [jam.variant.id, 3, carmel!.id],
    ]);
  });
});

describe("lines of another market", () => {
  test("a full cart that is undecided: nothing is ordered, mail and banner say why, and a choice of the market orders it", async () => {
    const [lakeside, carmel] = await openHubs({ name: "Shore market" }, { name: "Grove market" });
    const honey = await createProduct(db, lakeside!.id, { hubs: [lakeside!.id, carmel!.id] });
    const who = await automatic(lakeside!);
    await loginWith(who, carmel!, honey.line(2));
    await auto(RUN);
    expect(await resultOf(who)).toMatchObject({ outcome: "choose_market", done_at: null });
    const [failed, ...others] = (await mailsTo(who)).filter(({ template }) => template.startsWith("auto-checkout"));
    expect(others).toEqual([]);
    const text = (await textOf(failed!)).replaceAll(/\s+/g, " ");
    expect(text).toContain("items in your cart are from Grove market, and Shore market sells them too");
    expect(text).toContain("Choose the market you want to order from by");
    expect(text).not.toMatch(/empty|sold out/);
    const banner = (await who.get("/cart")).body.banners.find(({ id }: { id: string }) => id === "auto-checkout");
    expect(banner.body).toContain("Choose the market you want to order from, and check out by");
    await who.put(`/hubs/${lakeside!.id}/switch`);
    await auto(LATER);
    expect(await ordered(who)).toEqual([[[honey.variant.id, 2]]]);
    await auto(CUTOFF);
    expect(await templatesTo(who)).not.toContain("auto-checkout-missed");
  });

  test("a market that is no longer published: what the own market sells too is in the next box and ordered", async () => {
    const [lakeside, carmel] = await openHubs({}, {});
    const honey = await createProduct(db, lakeside!.id, { hubs: [lakeside!.id, carmel!.id] });
    const who = await automatic(lakeside!);
    await loginWith(who, carmel!, honey.line(2));
    await publish(carmel!, false);
    expect((await who.get("/cart")).body.otherMarket).toBeNull();
    expect((await boxesOf(who))[0].lines).toMatchObject([{ quantity: 2 }]);
    await auto(RUN);
    expect(await ordered(who)).toEqual([[[honey.variant.id, 2]]]);
  });

  test("two other markets: the one that has lines to decide is named, though the other has more", async () => {
    const [lakeside, carmel, third] = await openHubs({}, { name: "Vale market" }, { name: "Hill market" });
    const [fish, figs] = [await createProduct(db, carmel!.id), await createProduct(db, carmel!.id)];
    const honey = await createProduct(db, lakeside!.id, { hubs: [lakeside!.id, third!.id] });
    const who = await automatic(lakeside!);
    await loginWith(who, carmel!, fish.line(1), figs.line(1));
    await loginWith(who, third!, honey.line(2));
    const { body: cart } = await who.get("/cart");
    expect(cart.otherMarket).toMatchObject({ id: third!.id, isUndecided: true });
    expect((await boxesOf(who))[0].lines).toEqual([]);
    await who.put(`/hubs/${lakeside!.id}/switch`);
    expect((await who.get("/cart")).body.otherMarket).toMatchObject({ id: carmel!.id, isUndecided: false });
    expect((await boxesOf(who))[0].lines).toMatchObject([{ quantity: 2 }]);
  });
});
