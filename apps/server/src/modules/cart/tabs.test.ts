import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createHub, createProduct, PASSWORD, type TestProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { openBrowser } from "../../../test/tabs/open-browser.ts";
import type { Tab } from "../../../test/tabs/page.ts";

const market = await buildTestApp({ pages: true });
const { db } = market;
const [hub, otherHub] = [await createHub(db), await createHub(db)];

/** A customer's browser with two tabs of the shop; the products are at one price, and sold in both hubs. */
async function open() {
  market.clock.set(MONDAY);
  const shared = { hubs: [hub.id, otherHub.id], priceCents: 700 };
  const eggs = await createProduct(db, hub.id, { ...shared, title: "Eggs" });
  const bread = await createProduct(db, hub.id, { ...shared, title: "Bread" });
  const { customer, ...session } = await signIn(market, { hubId: hub.id });
  const opened = await openBrowser(market, { cookies: session.cookies });
  const { tabs, timeline } = opened;
  const [one, other] = tabs;
  const views = new Map<number, any>();
  for (const { id } of [eggs, bread]) views.set(id, (await session.get(`/products/${id}`)).body);
  const tap = (tab: Tab, { id, variant }: TestProduct, quantity: number) =>
    tab.page!.driver.setVariant!(views.get(id), quantity, linesIn(tab)[variant.id] ?? 0);
  /** The quantities in the cart of the session, by variant. */
  const stored = async (): Promise<Record<number, number>> => {
    const items = await db.cart_item.findMany({ where: { cart: { customer_id: customer.id } } });
    return Object.fromEntries(items.map(({ variant_id, quantity }) => [variant_id, quantity]));
  };
  const openCheckout = async (tab: Tab) => {
    tab.openFrame();
    await timeline.advance(1500);
  };
  const pay = async (tab: Tab) => {
    tab.frame!.driver.pay!();
    await timeline.advance(2000);
  };
  return { ...opened, one, other, eggs, bread, tap, stored, openCheckout, pay };
}

/** The quantities that a tab shows, by variant. */
const linesIn = (tab: Tab): Record<number, number> =>
  Object.fromEntries(
    tab.page!.driver.shown!().cart.items.map(({ product, quantity }) => [product.variant.id, quantity]),
  );

test("cart: what one tab subscribes to is in the cart that the other tab shows", { tags: ["fail:M8"] }, async () => {
  const { one, other, eggs, timeline } = await open();
  const subscribed = one.page!.driver.subscribe!(eggs.id, eggs.variant.id, 2);
  await timeline.advance(1000);
  await subscribed;
  expect([linesIn(one), linesIn(other)]).toEqual([{ [eggs.variant.id]: 2 }, { [eggs.variant.id]: 2 }]);
});

test(
  "session: a hub switch and a tap in one tab, while the other tab's page is on its way, are shown in it",
  { tags: ["fail:M8"] },
  async () => {
    const { browser, one, other, eggs, timeline, tap } = await open();
    // Rendered at once, and a slow way back.
    browser.decide = ({ url }) => (url === "/shop" ? { there: 1, back: 1500 } : undefined);
    other.load();
    tap(one, eggs, 1);
    const switched = one.page!.driver.switchHub!(otherHub.id);
    await timeline.advance(1000);
    await switched;
    await timeline.advance(3000);
    expect(other.page!.driver.shown!().hubId).toBe(otherHub.id);
    expect(linesIn(other)).toEqual({ [eggs.variant.id]: 1 });
  },
);

test(
  "cart: a tap into a cart that another tab orders before the tap arrives is offered, and not put into the next cart",
  { tags: ["fail:M8"] },
  async () => {
    const { browser, one, other, eggs, timeline, tap, stored, openCheckout, pay } = await open();
    tap(one, eggs, 1);
    await timeline.advance(1000);
    await openCheckout(one);
    browser.decide = ({ tab, url }) =>
      tab === 1 && url.startsWith("/api/cart") ? { there: 1500, back: 20 } : undefined;
    tap(other, eggs, 2);
    await pay(one);
    await timeline.advance(3000);
    expect(await db.order_item.findMany({ where: { variant_id: eggs.variant.id } })).toMatchObject([{ quantity: 1 }]);
    expect([await stored(), linesIn(one), linesIn(other)]).toEqual([{}, {}, {}]);
    expect(other.page!.driver.toasts!()).toEqual(["Not saved: Eggs. Your last cart was ordered."]);
  },
);

test(
  "checkout: another tab replaced a product by one at the same price: nothing is ordered before the shopper has seen it",
  { tags: ["fail:B15"] },
  async () => {
    const { one, other, eggs, bread, timeline, tap, openCheckout, pay } = await open();
    tap(one, eggs, 1);
    await timeline.advance(1000);
    await openCheckout(one);
    tap(other, eggs, 0);
    tap(other, bread, 1);
    await timeline.advance(1000);
    await pay(one);
    const sold = { variant_id: { in: [eggs.variant.id, bread.variant.id] } };
    expect(await db.order_item.count({ where: sold })).toBe(0);
    const { problem, offer } = one.frame!.driver;
    expect(problem!()).toBe("Your cart has changed. Please review it.");
    expect(offer!()!.cart.items.map(({ product }) => product.title)).toEqual(["Bread"]);
    await pay(one);
    expect(await db.order_item.findMany({ where: sold })).toMatchObject([
      { variant_id: bread.variant.id, quantity: 1 },
    ]);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "cart: a tap in a tab that does not know yet that someone else is signed in is in no one's cart",
  { tags: ["fail:M8"] },
  async () => {
    const { browser, one, other, eggs, timeline, tap, stored } = await open();
    const nextCustomer = await signIn(market, { hubId: hub.id });
    // The news arrive, and the answer who is here takes its time.
    browser.decide = ({ tab, url }) => (tab === 1 && url === "/api/auth" ? { there: 6000, back: 20 } : undefined);
    void one.page!.driver.logout!();
    await timeline.advance(2500);
    void one.page!.driver.login!(nextCustomer.customer.email!, PASSWORD);
    await timeline.advance(500);
    expect(other.page!.driver.shown!().customerId).not.toBe(nextCustomer.customer.id);
    tap(other, eggs, 1);
    await timeline.advance(20_000);
    expect(other.page!.driver.shown!().customerId).toBe(nextCustomer.customer.id);
    expect([await stored(), linesIn(one), linesIn(other)]).toEqual([{}, {}, {}]);
    expect(await db.cart_item.count({ where: { variant_id: eggs.variant.id } })).toBe(0);
  },
);

test(
  "cart: what a guest taps while another tab signs in is in the customer's cart",
  { tags: ["fail:M8"] },
  async () => {
    const { eggs, tap } = await open();
    const { customer } = await signIn(market, { hubId: hub.id });
    const guest = market.shopper();
    const { body } = await guest.post(`/auth/guest?hubId=${hub.id}`);
    const { browser, tabs, timeline } = await openBrowser(market, { cookies: guest.cookies });
    const [one, other] = tabs;
    browser.decide = ({ tab, url }) => (tab === 1 && url === "/api/auth" ? { there: 3000, back: 20 } : undefined);
    void one.page!.driver.login!(customer.email!, PASSWORD);
    await timeline.advance(500);
    expect(other.page!.driver.shown!().customerId).toBe(body.customerId);
    tap(other, eggs, 1);
    await timeline.advance(10_000);
    expect(await db.cart_item.findMany({ where: { cart: { customer_id: customer.id } } })).toMatchObject([
      { variant_id: eggs.variant.id, quantity: 1 },
    ]);
    expect([linesIn(one), linesIn(other)]).toEqual([{ [eggs.variant.id]: 1 }, { [eggs.variant.id]: 1 }]);
  },
);
