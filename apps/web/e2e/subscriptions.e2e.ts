import type { NextBox, Subscription } from "@marketday/contracts/subscriptions";

import { calendarDate, dateInZone, formatLong } from "../../../packages/domain/src/calendar-date.ts";
import { formatClock } from "../../../packages/domain/src/order.ts";
import { expectAccessible } from "./lib/axe.ts";
import { expect, type TestMarket, test } from "./lib/fixtures.ts";
import { beCustomer, beGuest, putInCart, testCard } from "./lib/shopper.ts";

type Page = import("@playwright/test").Page;
const FAILED =
  "There was an error updating your subscription preferences. If the error persists, please contact customer service.";

const read = async <T>(page: Page, path: string) => (await (await page.request.get(`/api${path}`)).json()) as T;
const list = (page: Page) => read<Subscription[]>(page, "/subscriptions");
const boxes = (page: Page) => read<NextBox[]>(page, "/subscriptions/next-boxes");
const cartOf = async (page: Page) =>
  (
    await read<{ items: { quantity: number; subscription_interval: number | null; product: { title: string } }[] }>(
      page,
      "/cart",
    )
  ).items.map((item) => [item.product.title, item.quantity, item.subscription_interval]);

/** A customer with an address, and as many subscriptions as products. */
async function subscriber(
  page: Page,
  market: TestMarket,
  products: { id: number; variantId: number }[],
  where: { hubId?: number; zipCode?: string } = {},
) {
  const made = await market.ask("customer", { address: true, ...where });
  await beCustomer(page, market, { ...market.customer, ...made });
  for (const { id, variantId } of products) {
    const data = { productId: id, variantId, qty: 1, subscription_interval: 1 };
    const answer = await page.request.post("/api/subscriptions", { data, headers: { origin: market.address } });
    expect(answer.ok()).toBe(true);
  }
}
const thing = (market: TestMarket, title: string, priceCents = 600, hubId?: number) =>
  market.ask("product", { title, priceCents, inventory: 90, ...(hubId && { hubId }) });
/** The next write of subscriptions is refused. */
const refuse = (page: Page, path: string) =>
  page.route(path, (route) =>
    route.request().method() === "GET"
      ? route.continue()
      : route.fulfill({ status: 500, json: ["Something went wrong.", { code: "internal" }] }),
  );

test.describe("subscriptions", () => {
  test(
    "subscriptions start at the product, open My Subscriptions and fill the cart",
    { tag: ["@spec:2.4-36", "@spec:4-14", "@spec:4-17", "@spec:2.4-29", "@spec:3-14", "@spec:8-15"] },
    async ({ page, market }) => {
      const honey = await thing(market, "Clover Honey");
      await subscriber(page, market, []);
      await page.goto(`/product/${honey.slug}`);
      const product = page.getByRole("dialog").first();
      await refuse(page, "**/api/subscriptions");
      await product.getByRole("button", { name: "Subscribe", exact: true }).click();
      await expect(product.getByText("Error subscribing to product")).toBeVisible();
      await page.unroute("**/api/subscriptions");
      await product.getByRole("button", { name: "Subscribe", exact: true }).click();
      await expect(page).toHaveURL(/\/subscription$/);
      const panel = page.getByRole("dialog").last();
      await expect(panel.getByRole("heading", { name: "My subscriptions" })).toBeVisible();
      const row = panel.getByRole("listitem").filter({ hasText: "Clover Honey" });
      const [first] = await boxes(page);
      const next = formatLong(calendarDate(first!.deliveryDate), dateInZone(new Date(), first!.timeZone));
      await expect(row.getByText(`Next on ${next}`, { exact: true })).toBeVisible();
      await expectAccessible(page);

      await row.getByRole("button", { name: /^Add one Clover Honey/ }).click();
      await expect.poll(async () => (await list(page)).map(({ quantity }) => quantity)).toEqual([2]);
      await expect.poll(() => cartOf(page)).toEqual([["Clover Honey", 2, 1]]);
      await row.getByLabel(/^How often Clover Honey/).selectOption({ label: "Every 3 weeks" });
      await expect.poll(async () => (await list(page)).map((one) => one.subscription_interval)).toEqual([3]);
      await expect.poll(() => cartOf(page)).toEqual([["Clover Honey", 2, 3]]);

      await panel.getByRole("button", { name: "Back", exact: true }).click();
      const subscribed = product.getByRole("button", { name: "Subscribed" });
      await expect(subscribed).toHaveAttribute("aria-pressed", "true");
      await expect(subscribed).toBeFocused();
      await expect(product.getByText("2 every 3 weeks")).toBeVisible();
      // The cart of the page behind followed without a reload.
      await product.getByRole("button", { name: "Close" }).click();
      await expect(page.getByRole("group", { name: /^Quantity of Clover Honey/ }).first()).toContainText("2");
    },
  );

  test(
    "guests and pre-order products have no subscriptions",
    { tag: ["@spec:4-14", "@spec:2.1-16"] },
    async ({ page, market }) => {
      const turkey = await market.ask("product", { title: "Feast Turkey", inventory: 9, preOrderDate: "2099-11-20" });
      const eggs = await thing(market, "Guest Eggs");
      await beGuest(page, market);
      await page.goto(`/product/${eggs.slug}`);
      await expect(page.getByRole("button", { name: /^Add to Cart/ })).toBeVisible();
      await expect(page.getByRole("button", { name: "Subscribe", exact: true })).toHaveCount(0);
      await page.goto("/subscription");
      await expect(page.getByText("Create a free account to subscribe")).toBeVisible();
      await page.getByRole("dialog").getByRole("button", { name: "Registration" }).click();
      await expect(page.getByRole("heading", { name: "Create your free account" })).toBeVisible();
      // Nothing of the guest's is on its way any more.
      await page.goto("about:blank");
      await subscriber(page, market, []);
      await page.goto(`/product/${turkey.slug}`);
      await expect(page.getByRole("dialog").getByText(/^Arrives/)).toBeVisible();
      await expect(page.getByRole("button", { name: "Subscribe", exact: true })).toHaveCount(0);
    },
  );

  test(
    "automatic checkout says when it will run, is disabled while it is saved, and rolls back with the server's message",
    { tag: ["@spec:2.4-27", "@spec:2.4-28", "@spec:4-10", "@spec:4-12", "@spec:8-08", "@spec:9-12", "@spec:2.3-15"] },
    async ({ page, market }) => {
      await subscriber(page, market, []);
      await page.goto("/more");
      await page.getByRole("main").getByRole("button", { name: "My subscriptions" }).click();
      const panel = page.getByRole("dialog");
      const choice = (name: string) => panel.getByRole("radio", { name: new RegExp(`^${name}\\b`) });
      await expect(choice("Off")).toBeChecked();
      const status = await read<{ runsAt: string }>(page, "/subscriptions/status");
      const box = (await boxes(page)).find(({ autoCheckoutAt }) => autoCheckoutAt === status.runsAt);
      expect(Date.parse(box!.cutoff) - Date.parse(status.runsAt)).toBe(36 * 3_600_000);
      const runs = new Date(status.runsAt);
      const when = `${formatLong(dateInZone(runs, box!.timeZone), dateInZone(new Date(), box!.timeZone))}, at ${formatClock(runs, box!.timeZone)}`;
      await expect(panel).toContainText(`Everything in your cart is ordered on ${when}, 36 hours before orders close.`);

      let let_go = () => {};
      const held = new Promise<void>((resolve) => {
        let_go = resolve;
      });
      await page.route("**/api/subscriptions/status", async (route) => {
        if (route.request().method() === "PUT") await held;
        await route.continue();
      });
      const sent = page.waitForRequest((one) => one.method() === "PUT" && one.url().endsWith("/subscriptions/status"));
      await choice("Full Cart").check();
      expect((await sent).postDataJSON()).toEqual({ enabled: true, status: 1 });
      await expect(choice("Full Cart")).toBeChecked();
      await expect(choice("Off")).toBeDisabled();
      await expect(panel.getByRole("radio", { name: "10%" })).toBeDisabled();
      let_go();
      await expect(choice("Off")).toBeEnabled();
      await expect(choice("Full Cart")).toBeFocused();
      await page.unroute("**/api/subscriptions/status");
      await refuse(page, "**/api/subscriptions/status");
      // Not check(): it may be refused before anybody could have seen it chosen.
      await choice("Only Subscribed Items").click();
      await expect(panel.getByText(FAILED)).toBeVisible();
      await expect(choice("Full Cart")).toBeChecked();
      await page.unroute("**/api/subscriptions/status");
      await page.reload();
      await expect(choice("Full Cart")).toBeChecked();
      await choice("Off").check();
      await expect.poll(() => read(page, "/subscriptions/status")).toMatchObject({ enabled: false, status: 0 });
    },
  );

  test(
    "subscriptions: tip, pause until a date, removal with undo, and a bundle's interval",
    { tag: ["@spec:2.4-29", "@spec:2.4-30", "@spec:2.4-31", "@spec:8-15"] },
    async ({ page, market }) => {
      const oats = await thing(market, "Rolled Oats");
      const kit = await market.ask("bundle", {
        title: "Breakfast Kit",
        slug: "breakfast-kit",
        items: [{ variantId: oats.variantId, quantity: 2 }],
      });
      await subscriber(page, market, [oats]);
      const headers = { origin: market.address };
      await page.request.post(`/api/bundles/${kit.slug}`, { data: { subscription_interval: 2 }, headers });
      await page.goto("/subscription");
      const panel = page.getByRole("dialog");
      await panel.getByRole("radio", { name: "20%" }).check();
      await expect.poll(() => read(page, "/subscriptions/tip")).toEqual({ percentage: 20 });

      const row = panel.getByRole("listitem").filter({ hasText: "Rolled Oats" });
      await row.getByRole("button", { name: /^Pause Rolled Oats/ }).click();
      await row.getByLabel(/^Pause Rolled Oats.* until$/).fill("2020-01-01");
      await row.getByRole("button", { name: "Pause", exact: true }).click();
      await expect(row.getByText("Choose a day after today, within a year.")).toBeVisible();
      const { timeZone } = (await boxes(page))[0]!;
      const later = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
      await row.getByLabel(/^Pause Rolled Oats.* until$/).fill(later);
      await row.getByRole("button", { name: "Pause", exact: true }).click();
      await expect(
        row.getByText(`Paused until ${formatLong(calendarDate(later), dateInZone(new Date(), timeZone))}`, {
          exact: true,
        }),
      ).toBeVisible();
      expect((await list(page))[0]).toMatchObject({ pausedUntil: later });
      await expectAccessible(page);
      await row.getByRole("button", { name: /^Resume Rolled Oats/ }).click();
      await expect(row.getByText(/^Next on/)).toBeVisible();

      const bundle = panel.getByRole("listitem").filter({ hasText: "Breakfast Kit" });
      await bundle.getByLabel("How often Breakfast Kit comes").selectOption({ label: "Every 4 weeks" });
      await expect
        .poll(() => read(page, `/bundles/${kit.slug}`))
        .toMatchObject({ subscriptionInterval: 4, subscriptionStatus: "subscribed" });
      await bundle.getByRole("button", { name: "Remove Breakfast Kit" }).click();
      await expect(bundle).toHaveCount(0);
      await expect.poll(() => read(page, `/bundles/${kit.slug}`)).toMatchObject({ subscriptionStatus: "unsubscribed" });

      await row.getByRole("button", { name: /^Remove Rolled Oats/ }).click();
      // It stays while the pointer is on it.
      await page.getByRole("button", { name: "Undo" }).hover();
      await expect(row).toHaveCount(0);
      await expect(panel.getByText("Nothing on repeat yet")).toBeVisible();
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(row).toBeVisible();
      expect(await list(page)).toHaveLength(1);
    },
  );

  test("often ordered products are offered", { tag: ["@spec:7.5-06"] }, async ({ page, market }) => {
    const rye = await thing(market, "Often Rye");
    await subscriber(page, market, []);
    await putInCart(page, market, [rye]);
    const headers = { origin: market.address };
    const choice = { type: "delivery", tipPercentage: 0 };
    const quote = await page.request.post("/api/checkout/quote", { data: choice, headers });
    const { orderTotal } = (await quote.json()) as { orderTotal: number };
    const data = { ...choice, card: testCard, expectedTotal: orderTotal };
    expect((await page.request.post("/api/checkout", { data, headers })).status()).toBe(201);
    await page.goto("/subscription");
    const panel = page.getByRole("dialog");
    await panel.getByRole("button", { name: /^Subscribe to Often Rye/ }).click();
    await expect(
      panel.getByRole("region", { name: "Subscribed items" }).getByRole("link", { name: "Often Rye" }),
    ).toBeVisible();
    await expect(panel.getByRole("button", { name: /^Subscribe to Often Rye/ })).toHaveCount(0);
  });
});

test.describe("Your next boxes", () => {
  test(
    "next boxes show three deliveries with items, reasons and totals, and can be changed and skipped",
    { tag: ["@spec:4-11", "@spec:4-13"] },
    async ({ page, market }) => {
      const { id: hubId } = await market.ask("hub", {});
      const milk = await thing(market, "Box Milk", 475, hubId);
      const jam = await thing(market, "Box Jam", 900, hubId);
      await subscriber(page, market, [milk], { hubId });
      await putInCart(page, market, [jam]);
      const headers = { origin: market.address };
      await page.request.put("/api/subscriptions/status", { data: { enabled: true, status: 1 }, headers });
      await page.goto("/subscription");
      await page.getByRole("dialog").getByRole("button", { name: "Your next boxes" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Your next boxes" })).toBeVisible();
      const three = await boxes(page);
      expect(three).toHaveLength(3);
      const card = (place: number) => {
        // Exact: "December 1" is the start of "December 15".
        const name = formatLong(
          calendarDate(three[place]!.deliveryDate),
          dateInZone(new Date(), three[place]!.timeZone),
        );
        return page.getByRole("article").filter({ has: page.getByRole("heading", { name, exact: true }) });
      };
      for (const [place, box] of three.entries()) {
        expect(box.state).toBe("planned");
        await expect(card(place).getByRole("listitem").filter({ hasText: "Box Milk" })).toContainText("Every week");
        await expect(card(place)).toContainText(`$${box.orderTotal.toFixed(2)}`);
      }
      const first = card(0);
      await expect(first.getByRole("listitem").filter({ hasText: "Box Jam" })).toContainText("In your cart");
      await expect(card(1).getByRole("listitem").filter({ hasText: "Box Jam" })).toHaveCount(0);
      await expectAccessible(page);

      await first.getByRole("button", { name: /^Add one Box Jam/ }).click();
      await expect
        .poll(async () => (await boxes(page))[0]!.lines.find(({ title }) => title.startsWith("Box Jam"))?.quantity)
        .toBe(2);
      await expect(first).toContainText(`$${(await boxes(page))[0]!.orderTotal.toFixed(2)}`);
      await card(2)
        .getByRole("button", { name: /^Add one Box Milk/ })
        .click();
      await expect.poll(async () => (await list(page))[0]!.quantity).toBe(2);
      await expect(card(1)).toContainText(`$${(await boxes(page))[1]!.orderTotal.toFixed(2)}`);

      await card(1).getByRole("button", { name: "Skip this delivery" }).click();
      await expect(card(1).getByText(/^Skipped/)).toBeVisible();
      expect((await boxes(page))[1]).toMatchObject({ state: "skipped", lines: [] });
      await page.reload();
      await card(1).getByRole("button", { name: "Don't skip" }).click();
      await expect(card(1).getByRole("listitem").filter({ hasText: "Box Milk" })).toBeVisible();
      await refuse(page, "**/api/subscriptions/skip");
      await card(2).getByRole("button", { name: "Skip this delivery" }).click();
      await expect(page.getByText(FAILED)).toBeVisible();
      await expect(card(2).getByRole("button", { name: "Skip this delivery" })).toBeVisible();
    },
  );

  test(
    "an automatic checkout that failed says why, what to do until when, and links there",
    { tag: ["@spec:4-10"] },
    async ({ page, market }) => {
      const { id: hubId } = await market.ask("hub", {});
      const pears = await thing(market, "Winter Pears", 800, hubId);
      // Where this hub does not deliver.
      await subscriber(page, market, [], { hubId, zipCode: market.zip });
      await putInCart(page, market, [pears]);
      const headers = { origin: market.address };
      await page.request.put("/api/subscriptions/status", { data: { enabled: true, status: 1 }, headers });
      await market.ask("dueAutoCheckout", { hubId });
      await market.ask("stopServer");
      await market.ask("startServer");
      type Problem = { banners: { id: string; body: string }[] };
      const problem = async () =>
        (await read<Problem>(page, "/cart")).banners.find(({ id }) => id === "auto-checkout")?.body ?? "";
      await expect
        .poll(problem)
        .toMatch(
          /^This market does not deliver to \d{5}\. Choose a pickup point or another address in My Subscriptions, or check out, by .+\.$/,
        );
      const message = await problem();
      await page.goto("/cart");
      await expect(page.getByText("Automatic checkout did not order.").first()).toBeVisible();
      await expect(page.getByText(message).first()).toBeVisible();
      await page.goto("/next-boxes");
      await expect(page.getByRole("heading", { level: 1, name: "Your next boxes" })).toBeVisible();
      await expect(page.getByText(message).first()).toBeVisible();
      await expectAccessible(page);
      await page.goto("/subscription");
      const panel = page.getByRole("dialog");
      await expect(panel.getByText(message).first()).toBeVisible();
      await panel.getByRole("button", { name: "Check out now" }).click();
      const checkout = page.frameLocator("iframe");
      await expect(checkout.getByText("Winter Pears").first()).toBeVisible();

      // Done by hand, there is nothing left to say.
      const ask = async (choice: object) => {
        const answer = await page.request.post("/api/checkout/quote", { data: choice, headers });
        return (await answer.json()) as { orderTotal: number; pickupPoints: { id: number }[] };
      };
      const { pickupPoints } = await ask({ type: "delivery", tipPercentage: 0 });
      const choice = { type: "pickup", pickupPointId: pickupPoints[0]!.id, tipPercentage: 0 };
      const { orderTotal } = await ask(choice);
      const data = { ...choice, card: testCard, expectedTotal: orderTotal };
      expect((await page.request.post("/api/checkout", { data, headers })).status()).toBe(201);
      expect(await problem()).toBe("");
      await page.goto("/next-boxes");
      await expect(page.getByRole("heading", { level: 1, name: "Your next boxes" })).toBeVisible();
      await expect(page.getByText("Automatic checkout did not order.")).toHaveCount(0);
    },
  );

  test.describe("on a phone", () => {
    test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, colorScheme: "dark" });

    test("an empty list and a paused one each say so", { tag: ["@spec:4-11"] }, async ({ page, market }) => {
      await subscriber(page, market, [], { hubId: (await market.ask("hub", {})).id });
      // One of three reads fails: not the skeleton for ever.
      await page.route("**/api/subscriptions", (route) =>
        route.fulfill({ status: 500, json: ["Something went wrong.", { code: "internal" }] }),
      );
      await page.goto("/next-boxes");
      const main = page.getByRole("main");
      await expect(main.getByRole("alert").filter({ hasText: "Something went wrong." })).toBeVisible();
      await page.unroute("**/api/subscriptions");
      await main.getByRole("button", { name: "Retry" }).tap();
      await expect(page.getByText("Nothing on repeat yet")).toBeVisible();
      await expect(page.getByText("Automatic checkout is off")).toBeVisible();
      await page.getByRole("button", { name: "Turn it on" }).tap();
      await expect(page.getByRole("dialog").getByRole("heading", { name: "My subscriptions" })).toBeVisible();
      await expectAccessible(page);
    });
  });
});
