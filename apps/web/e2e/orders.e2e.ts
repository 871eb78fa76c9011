import { readFile } from "node:fs/promises";

import type { Locator, Page } from "@playwright/test";

import { expectAccessible } from "./lib/axe.ts";
import { expect, test, type TestMarket } from "./lib/fixtures.ts";
import { askApi, beNewCustomer, placeByApi } from "./lib/orders.ts";

/** Answers the survey after a first order. */
const sourceAnswer = { type: "MarketingSource", questionId: "marketingsource", response: "News story" };

/** Where the page's clock is stopped: a little at a time, 1.2 s at most, until something is there. */
async function tickUntilSeen(page: Page, what: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(50);
      return what.isVisible();
    })
    .toBe(true);
}

/** Opens "My orders" from the More page. */
async function openOrders(page: Page) {
  // Another page first: the same address again would be a reload, which keeps the layers.
  await page.goto("/shop");
  await page.goto("/more");
  await page.getByRole("main").getByRole("button", { name: "My orders" }).click();
  const list = page.getByRole("dialog").last();
  await expect(list.getByRole("heading", { name: "My orders" })).toBeVisible();
  return list;
}

/** Begins to lower an order of three soaps of that name by one. `sheet` is its receipt. */
async function lowerOrder(page: Page, market: TestMarket, title: string) {
  const soap = await market.ask("product", { title, inventory: 20 });
  await beNewCustomer(page, market);
  const id = await placeByApi(page, market, [{ ...soap, quantity: 3 }]);
  const list = await openOrders(page);
  await list.getByRole("button", { name: new RegExp(`#${id}\\b`) }).click();
  const sheet = page.getByRole("dialog").last();
  await sheet.getByRole("button", { name: "Edit Order" }).click();
  await sheet.getByRole("button", { name: /^Remove one / }).click();
  return { soap, id, sheet };
}

test.describe("my orders", () => {
  test(
    "an open order is listed with its time left, lowered, and deleted when it is empty",
    {
      tag: [
        "@spec:2.4-52",
        "@spec:2.4-53",
        "@spec:2.4-54",
        "@spec:2.4-56",
        "@spec:4-28",
        "@spec:4-29",
        "@spec:8-24",
        "@spec:8-25",
        "@spec:2.3-17",
      ],
    },
    async ({ page, market }) => {
      const eggs = await market.ask("product", { title: "Order Eggs", priceCents: 700, inventory: 20 });
      const jam = await market.ask("product", { title: "Order Jam", priceCents: 500, inventory: 20 });
      await beNewCustomer(page, market);
      const id = await placeByApi(page, market, [{ ...eggs, quantity: 3 }, jam]);

      const list = await openOrders(page);
      const open = list.getByRole("region", { name: "Open orders" });
      await expect(open.getByText(/^\d days? left to add$|^\d+ hours? left$/)).toBeVisible();
      await expect(open.getByText(/^You can change this until\s1AM \w+day\.$/)).toBeVisible();
      await open.getByRole("button", { name: new RegExp(`#${id}\\b`) }).click();
      const sheet = page.getByRole("dialog").last();
      await expect(sheet.getByRole("heading", { name: `Order #${id}`, exact: true })).toBeVisible();
      await expect(sheet.getByRole("heading", { name: /^Arrives / })).toBeVisible();

      await sheet.getByRole("button", { name: "Edit Order" }).click();
      // Only down: the plus says what to do instead.
      await sheet.getByRole("button", { name: "Add one Order Eggs" }).click({ force: true });
      await expect(
        sheet.getByRole("list", { name: "Items" }).getByText("To add an additional item, create a new order."),
      ).toBeVisible();
      await sheet.getByRole("button", { name: "Remove one Order Eggs" }).click();
      await expect(sheet.getByRole("group", { name: "Unsaved changes" })).toBeVisible();
      await sheet.getByRole("button", { name: "Discard" }).click();
      await expect(sheet.getByRole("group", { name: "Unsaved changes" })).toHaveCount(0);
      await sheet.getByRole("button", { name: "Remove one Order Eggs" }).click();
      await sheet.getByRole("button", { name: "Cancel", pressed: true }).click();
      await expect(sheet.getByRole("group", { name: "Unsaved changes" })).toHaveCount(0);
      await expect(sheet.getByRole("button", { name: /^Remove one / })).toHaveCount(0);
      expect((await market.ask("order", { id })).items.find(({ title }) => title === "Order Eggs")?.quantity).toBe(3);

      await sheet.getByRole("button", { name: "Edit Order", pressed: false }).click();
      await sheet.getByRole("button", { name: "Remove one Order Eggs" }).click();
      await sheet.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("Order changes submitted!").first()).toBeVisible();
      expect((await market.ask("order", { id })).items.find(({ title }) => title === "Order Eggs")?.quantity).toBe(2);
      expect(await market.ask("stockOf", eggs)).toBe(18);

      await sheet.getByRole("button", { name: "Edit Order" }).click();
      await sheet.getByRole("button", { name: "Remove one Order Eggs" }).click();
      await sheet.getByRole("button", { name: "Remove Order Eggs" }).click();
      await sheet.getByRole("button", { name: "Remove Order Jam" }).click();
      await sheet.getByRole("button", { name: "Save" }).click();
      await expect(sheet.getByText("This deletes the order")).toBeFocused();
      await sheet.getByRole("button", { name: "Delete order" }).click();
      await expect(page.getByText("Order has been deleted!").first()).toBeVisible();
      await expect(page.getByRole("dialog").last().getByText("Your first order will show up here")).toBeVisible();
      expect(await market.ask("stockOf", eggs)).toBe(20);
      expect(await market.ask("audit")).toEqual([]);
    },
  );

  test(
    "a box with add-ons: one list and one save; the add-on becomes the box when the box is emptied",
    { tag: ["@spec:2.4-56", "@fail:M6"] },
    async ({ page, market }) => {
      const plum = await market.ask("product", { title: "Box Plums", priceCents: 700, inventory: 20 });
      const pear = await market.ask("product", { title: "Added Pears", priceCents: 500, inventory: 20 });
      await beNewCustomer(page, market);
      const id = await placeByApi(page, market, [{ ...plum, quantity: 3 }]);
      const added = await placeByApi(page, market, [{ ...pear, quantity: 2 }]);
      const list = await openOrders(page);
      await list.getByRole("button", { name: new RegExp(`#${id}\\b`) }).click();
      const sheet = page.getByRole("dialog").last();
      const later = sheet.getByRole("list", { name: /^Items\. Added on / });
      await expect(later.getByText("Added Pears")).toBeVisible();
      await expect(sheet.getByRole("heading", { name: /^Added on / })).toBeVisible();
      // Three plums 34.45 with delivery; two pears 10.00, tip 1.00, tax 0.70, card 0.60.
      await expect(sheet.getByText("$46.75")).toBeVisible();

      await sheet.getByRole("button", { name: "Edit Order" }).click();
      const items = sheet.getByRole("list", { name: "Items", exact: true });
      await expect(items.getByRole("listitem")).toHaveText([/Box Plums/, /Added Pears.*Added on /]);
      await expectAccessible(page);
      await items.getByRole("button", { name: "Remove one Box Plums" }).click();
      await items.getByRole("button", { name: "Remove one Added Pears" }).click();
      await sheet.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("Order changes submitted!").first()).toBeVisible();
      await expect(sheet.getByRole("button", { name: "Edit Order" })).toBeVisible();
      expect([await market.ask("stockOf", plum), await market.ask("stockOf", pear)]).toEqual([18, 19]);

      await sheet.getByRole("button", { name: "Edit Order" }).click();
      await items.getByRole("button", { name: "Remove one Box Plums" }).click();
      await items.getByRole("button", { name: "Remove Box Plums" }).click();
      await sheet.getByRole("button", { name: "Save" }).click();
      // Not the box goes, only what was ordered first: no question whether to delete it.
      await expect(sheet.getByText("This deletes the order")).toHaveCount(0);
      await expect(sheet.getByRole("heading", { name: `Order #${added}`, exact: true })).toBeVisible();
      await expect(sheet.getByText("$15.25")).toBeVisible();
      expect(await market.ask("stockOf", plum)).toBe(20);

      await sheet.getByRole("button", { name: "Edit Order" }).click();
      await items.getByRole("button", { name: "Remove Added Pears" }).click();
      await sheet.getByRole("button", { name: "Save" }).click();
      await sheet.getByRole("button", { name: "Delete order" }).click();
      await expect(page.getByText("Order has been deleted!").first()).toBeVisible();
      await expect(page.getByRole("dialog").last().getByText("Your first order will show up here")).toBeVisible();
      expect(await market.ask("stockOf", pear)).toBe(20);
      expect(await market.ask("audit")).toEqual([]);
    },
  );

  test(
    "one save for two orders with the second refused: the first stays saved, and the refusal is shown",
    { tag: ["@fail:M6"] },
    async ({ page, market }) => {
      const plum = await market.ask("product", { title: "Half Plums", inventory: 20 });
      const pear = await market.ask("product", { title: "Half Pears", inventory: 20 });
      await beNewCustomer(page, market);
      const id = await placeByApi(page, market, [{ ...plum, quantity: 3 }]);
      await placeByApi(page, market, [{ ...pear, quantity: 3 }]);
      const list = await openOrders(page);
      await list.getByRole("button", { name: new RegExp(`#${id}\\b`) }).click();
      const sheet = page.getByRole("dialog").last();
      await sheet.getByRole("button", { name: "Edit Order" }).click();
      await sheet.getByRole("button", { name: "Remove one Half Plums" }).click();
      await sheet.getByRole("button", { name: "Remove one Half Pears" }).click();
      const items = [{ quantity: 1, product: { variant: { id: plum.variantId } } }];
      await askApi(page, market, "POST", "/orders/edit-order", { order: { id, items } });
      await sheet.getByRole("button", { name: "Save" }).click();
      await expect(
        sheet.getByRole("alert").filter({
          hasText: "To add an additional item, create a new order. Your other changes are saved",
        }),
      ).toBeVisible();
      // The edit is still open.
      await expect(sheet.getByRole("button", { name: "Cancel", pressed: true })).toBeVisible();
      await expect(sheet.getByRole("button", { name: "Remove one Half Pears" })).toBeVisible();
      expect([await market.ask("stockOf", plum), await market.ask("stockOf", pear)]).toEqual([19, 18]);
      expect(await market.ask("audit")).toEqual([]);
    },
  );

  test(
    "an edit that starts before a refetch follows it: another device's change is no unsaved change",
    { tag: ["@fail:A12"] },
    async ({ page, market }) => {
      const soap = await market.ask("product", { title: "Stale Soap", inventory: 20 });
      await beNewCustomer(page, market);
      const id = await placeByApi(page, market, [{ ...soap, quantity: 3 }]);
      const list = await openOrders(page);
      const row = list.getByRole("button", { name: new RegExp(`#${id}\\b`) });
      // The list still says three when the other device lowers it.
      await row.waitFor();
      const items = [{ quantity: 1, product: { variant: { id: soap.variantId } } }];
      await askApi(page, market, "POST", "/orders/edit-order", { order: { id, items } });
      const read = Promise.withResolvers<void>();
      await page.route(`**/api/orders/${id}`, async (route) => {
        await read.promise;
        await route.continue();
      });
      await row.click();
      const sheet = page.getByRole("dialog").last();
      await sheet.getByRole("button", { name: "Edit Order" }).click();
      await expect(sheet.getByRole("button", { name: "Remove one Stale Soap" })).toBeVisible();
      read.resolve();
      // One is left: the button that took one off takes the line off now.
      await expect(sheet.getByRole("button", { name: "Remove Stale Soap" })).toBeVisible();
      await expect(sheet.getByRole("group", { name: "Unsaved changes" })).toHaveCount(0);
    },
  );

  test(
    "a pre-order says until when it can be changed, and is lowered and deleted until then",
    { tag: ["@fail:M6"] },
    async ({ page, market }) => {
      const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
      const goose = await market.ask("product", { title: "Later Goose", inventory: 20, preOrderDate: day });
      await beNewCustomer(page, market);
      const id = await placeByApi(page, market, [{ ...goose, quantity: 2 }]);
      const list = await openOrders(page);
      await list
        .getByRole("region", { name: "Future orders" })
        .getByRole("button", { name: new RegExp(`#${id}\\b`) })
        .click();
      const sheet = page.getByRole("dialog").last();
      await expect(
        sheet.getByText(/^Not yet due\. You can change this until\s\d+(:\d+)?[AP]M \w+day, \w+\s\d+(,\s\d{4})?\.$/),
      ).toBeVisible();
      await expect(sheet.getByText(/days? left/)).toHaveCount(0);
      // On paper too: nothing else there says it.
      await page.emulateMedia({ media: "print" });
      await expect(sheet.getByText(/You can change \w+ until/)).toBeVisible();
      await page.emulateMedia({ media: "screen" });
      await sheet.getByRole("button", { name: "Edit Order" }).click();
      await sheet.getByRole("button", { name: "Remove one Later Goose" }).click();
      await sheet.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("Order changes submitted!").first()).toBeVisible();
      expect(await market.ask("stockOf", goose)).toBe(19);
      await sheet.getByRole("button", { name: "Edit Order" }).click();
      await sheet.getByRole("button", { name: "Remove Later Goose" }).click();
      await sheet.getByRole("button", { name: "Save" }).click();
      await sheet.getByRole("button", { name: "Delete order" }).click();
      await expect(page.getByText("Order has been deleted!").first()).toBeVisible();
      expect(await market.ask("stockOf", goose)).toBe(20);
      expect(await market.ask("audit")).toEqual([]);
    },
  );

  test(
    "a change of an order that another device changed is refused with the server's message",
    { tag: ["@fail:A12"] },
    async ({ page, market }) => {
      const { soap, id, sheet } = await lowerOrder(page, market, "Refused Soap");
      const items = [{ quantity: 1, product: { variant: { id: soap.variantId } } }];
      await askApi(page, market, "POST", "/orders/edit-order", { order: { id, items } });
      await sheet.getByRole("button", { name: "Save" }).click();
      await expect(
        sheet.getByRole("alert").filter({ hasText: "To add an additional item, create a new order." }),
      ).toBeVisible();
    },
  );

  test("order edit: a refused save leaves the edit open with its unsaved quantities", async ({ page, market }) => {
    const { soap, sheet } = await lowerOrder(page, market, "Later Soap");
    await page.route("**/api/orders/edit-order", (route) =>
      route.fulfill({ status: 429, json: ["Too many tries.", { code: "rate_limited" }] }),
    );
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet.getByRole("alert").filter({ hasText: "Too many tries." })).toBeVisible();
    await expect(sheet.getByRole("group", { name: "Unsaved changes" })).toBeVisible();
    await expect(sheet.getByRole("group", { name: "Quantity of Later Soap" })).toContainText("2");
    await page.unroute("**/api/orders/edit-order");
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Order changes submitted!").first()).toBeVisible();
    expect(await market.ask("stockOf", soap)).toBe(18);
  });

  test("order edit: closing the tab with unsaved changes confirms first, after Discard it does not", async ({
    page,
    market,
  }) => {
    const { sheet } = await lowerOrder(page, market, "Open Soap");
    await expect(sheet.getByRole("group", { name: "Unsaved changes" })).toBeVisible();
    const shown = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const confirmation = await shown;
    expect(confirmation.type()).toBe("beforeunload");
    await confirmation.dismiss();
    await sheet.getByRole("button", { name: "Discard" }).click();
    await expect(sheet.getByRole("group", { name: "Unsaved changes" })).toHaveCount(0);
    const closed = page.waitForEvent("close");
    await page.close({ runBeforeUnload: true });
    await closed;
  });

  test("my orders: exactly twenty are one page, without a button for more", async ({ page, market }) => {
    const { id: customerId } = await beNewCustomer(page, market);
    await market.ask("pastOrders", { customerId, title: "Twenty Times Oats", count: 20 });
    const list = await openOrders(page);
    await expect(list.getByRole("region", { name: "Completed orders" }).getByRole("listitem")).toHaveCount(20);
    await expect(list.getByRole("button", { name: "Show more orders" })).toHaveCount(0);
  });

  test("my orders: more than twenty come page by page, and the focus goes to the first new one", async ({
    page,
    market,
  }) => {
    const { id: customerId } = await beNewCustomer(page, market);
    await market.ask("pastOrders", { customerId, title: "Often Ordered Oats", count: 23 });
    const list = await openOrders(page);
    const rows = list.getByRole("region", { name: "Completed orders" }).getByRole("listitem");
    await expect(rows).toHaveCount(20);
    const more = list.getByRole("button", { name: "Show more orders" });
    await page.route("**/api/orders", (route) => route.fulfill({ status: 422, json: ["no", { code: "no" }] }));
    await more.click();
    await expect(list.getByText("There was an error fetching orders. Please try again later.")).toBeVisible();
    await expect(rows).toHaveCount(20);
    await page.unroute("**/api/orders");
    await list.getByRole("button", { name: "Retry" }).click();
    await expect(rows).toHaveCount(23);
    await expect(rows.nth(20).getByRole("button")).toBeFocused();
    await expect(more).toHaveCount(0);
    // Each once.
    expect(new Set(await rows.allInnerTexts()).size).toBe(23);
  });

  test("my orders that fail to load show an error with Retry", { tag: ["@spec:8-12"] }, async ({ page, market }) => {
    await beNewCustomer(page, market);
    await page.route("**/api/orders", (route) => route.fulfill({ status: 422, json: ["no", { code: "no" }] }));
    const list = await openOrders(page);
    await expect(list.getByText("There was an error fetching orders. Please try again later.")).toBeVisible();
    await page.unroute("**/api/orders");
    await list.getByRole("button", { name: "Retry" }).click();
    await expect(list.getByText("Your first order will show up here")).toBeVisible();
  });

  test(
    "a past order is ordered again, without what is not sold today; it prints on one page and goes into a calendar",
    { tag: ["@spec:4-27", "@spec:4-30", "@spec:2.4-55"] },
    async ({ page, market }) => {
      const kale = await market.ask("product", { title: "Again Kale", inventory: 20 });
      const gone = await market.ask("product", { title: "Gone Quince", inventory: 1 });
      await beNewCustomer(page, market);
      const id = await placeByApi(page, market, [{ ...kale, quantity: 2 }, gone]);
      await market.ask("orderStatus", { id, status: "pending" });
      const list = await openOrders(page);
      await expect(list.getByRole("region", { name: "Open orders" }).getByText(/^Arrives /)).toBeVisible();
      await expect(list.getByText(/left to add/)).toHaveCount(0);
      await market.ask("orderStatus", { id, status: "closed" });
      await openOrders(page);
      await page
        .getByRole("region", { name: "Completed orders" })
        .getByRole("button", { name: /Delivered/ })
        .click();
      const sheet = page.getByRole("dialog").last();
      await expect(sheet.getByRole("button", { name: "Edit Order" })).toHaveCount(0);
      const missing = sheet.getByRole("list", { name: "Not available" });
      await expect(missing.getByRole("listitem")).toHaveText([/Gone Quince.*Out of stock/]);
      await sheet.getByRole("button", { name: "Reorder the rest" }).click();
      await expect
        .poll(async () => {
          const cart = await askApi<{ items: { quantity: number; product: { title: string } }[] }>(
            page,
            market,
            "GET",
            "/cart",
          );
          return cart.items.map(({ quantity, product }) => [product.title, quantity]);
        })
        .toEqual([["Again Kale", 2]]);

      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);

      await market.ask("orderStatus", { id, status: "open" });
      // The survey after a first order is answered, because it would open over the page.
      await askApi(page, market, "POST", `/orders/${id}/survey`, sourceAnswer);
      await page.goto(`/order-complete/${id}`);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Add to calendar" }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe(`order-${id}.ics`);
      expect(await readFile(await file.path(), "utf8")).toContain(`UID:order-${id}@`);
    },
  );
});

test("a receipt of a big box prints on one page, from the confirmation and from my orders", async ({
  page,
  market,
}) => {
  const lines = [];
  for (let place = 1; place <= 24; place += 1)
    lines.push(await market.ask("product", { title: `Printed Pantry Thing No. ${place}`, inventory: 9 }));
  await beNewCustomer(page, market);
  const id = await placeByApi(page, market, lines.slice(0, 20));
  await placeByApi(page, market, lines.slice(20));
  await askApi(page, market, "POST", `/orders/${id}/survey`, sourceAnswer);
  const pages = async (format: "Letter" | "A4") =>
    (await page.pdf({ format })).toString("latin1").match(/\/Type\s*\/Page\b/g)?.length;
  await page.goto(`/order-complete/${id}`);
  await expect(page.getByRole("list", { name: /^Items\. Added on / }).getByRole("listitem")).toHaveCount(4);
  expect([await pages("Letter"), await pages("A4")]).toEqual([1, 1]);
  const list = await openOrders(page);
  await list.getByRole("button", { name: new RegExp(`#${id}\\b`) }).click();
  await expect(page.getByRole("list", { name: /^Items\. Added on / }).getByRole("listitem")).toHaveCount(4);
  expect([await pages("Letter"), await pages("A4")]).toEqual([1, 1]);
});

test.describe("after an order", () => {
  test(
    "after the first order the survey shows once, how the shopper found the market",
    { tag: ["@spec:5-44", "@spec:5-45"] },
    async ({ page, market }) => {
      const bread = await market.ask("product", { title: "Survey Bread", inventory: 20 });
      await beNewCustomer(page, market);
      const id = await placeByApi(page, market, [bread]);
      await page.goto(`/order-complete/${id}`);
      const survey = page.getByRole("dialog");
      await expect(survey.getByRole("heading", { name: "How did you hear about us?" })).toBeVisible();
      await expect(survey.getByRole("radio")).toHaveCount(10);
      await survey.getByRole("button", { name: "Send" }).click();
      await expect(survey.getByText("Choose one of the answers.")).toBeVisible();
      await survey.getByRole("radio", { name: "From a Farmer/Vendor I Support" }).check();
      await survey.getByRole("button", { name: "Send" }).click();
      await expect(survey.getByText("Choose the farmer or vendor.")).toBeVisible();
      await survey.getByLabel("Find your farmer or vendor").fill("Ro");
      await survey.getByRole("radio", { name: /Rooted Acre Farm/ }).check();
      const sent = page.waitForResponse((answer) => answer.url().endsWith(`/api/orders/${id}/survey`));
      await survey.getByRole("button", { name: "Send" }).click();
      expect((await sent).status()).toBe(200);
      await expect(survey).toHaveCount(0);
      expect(await askApi(page, market, "GET", `/orders/${id}/survey/`)).toEqual({ type: null, questionId: null });
      // A vendor that the survey's search found is no vendor of a list: its panel waits for all of it.
      await page.getByRole("banner").getByRole("link", { name: "Little Wagon, to the shop" }).click();
      await page.getByRole("main").getByRole("link", { name: "Rooted Acre Farm", exact: true }).first().click();
      const panel = page.getByRole("dialog");
      await expect(panel.getByRole("heading", { level: 2, name: "Rooted Acre Farm" })).toBeVisible();
      await expect(panel.getByRole("heading", { name: "Popular products" })).toBeVisible();
    },
  );

  test("the survey never opens over another overlay, and skipping ends it", async ({ page, market }) => {
    const milk = await market.ask("product", { title: "Survey Milk", inventory: 20 });
    await beNewCustomer(page, market);
    const first = await placeByApi(page, market, [milk]);
    await askApi(page, market, "POST", `/orders/${first}/survey`, sourceAnswer);
    const id = await placeByApi(page, market, [milk]);
    const requests: string[] = [];
    page.on("request", (request) => void (request.url().endsWith("/survey/") && requests.push(request.url())));
    // The clock moves past the pause before the survey here, not while the other overlay opens.
    await page.clock.install();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.goto(`/order-complete/${id}`);
    await tickUntilSeen(page, page.getByRole("heading", { level: 1, name: "Your order is in" }));
    await page.getByRole("button", { name: "Your market" }).first().click();
    const other = page.getByRole("dialog");
    await tickUntilSeen(page, other.getByRole("button", { name: "Done" }));
    // Longer than the pause before the question.
    await page.clock.fastForward(2200);
    await page.clock.resume();
    expect(requests).toEqual([]);
    await other.getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("dialog").getByRole("heading", { name: "How was it?" })).toBeVisible();
    const survey = page.getByRole("dialog");
    await survey.getByRole("button", { name: "Send" }).click();
    await expect(survey.getByText("Choose a number.").first()).toBeVisible();
    await expect(survey.getByRole("radio", { name: /Strongly Agree/ })).toBeVisible();
    await survey.getByLabel(/Anything to add/).fill("x".repeat(260));
    await expect(survey.getByLabel(/Anything to add/)).toHaveValue("x".repeat(250));
    await survey.getByRole("button", { name: "Skip" }).click();
    await expect(survey).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("heading", { level: 1, name: "Your order is in" })).toBeVisible();
    await page.clock.fastForward(2200);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});
