import { expectAccessible } from "./lib/axe.ts";
import { expect, type TestMarket, test } from "./lib/fixtures.ts";
import { tabTo } from "./lib/keyboard.ts";
import { expectOnlyFrom, withSettings } from "./lib/settings.ts";
import { beCustomer, beGuest, comeIn, newPerson, register } from "./lib/shopper.ts";
import type { Controls } from "./stack/controls.ts";

/** Two counties in the east of Kansas and some of a third, far from the market of the other tests. */
const lawrence = {
  deliveryDay: "Friday",
  timeZone: "America/Chicago",
  deliveryFeeCents: null,
  lat: 38.97,
  lng: -95.24,
  boundaries: ["POLYGON((-95.5 38.74, -94.6 38.74, -94.6 39.13, -95.5 39.13, -95.5 38.74))"],
} as const;
const zips = ["66044", "66046"];

const opened = new Map<string, Promise<{ id: number; name: string }>>();

/** A separate market, opened once: a retry in the same place finds it. */
function openMarket(market: TestMarket, input: Parameters<Controls["hub"]>[1] & { name: string }) {
  const key = `${market.address} ${input.name}`;
  const hub = opened.get(key) ?? market.ask("hub", input);
  opened.set(key, hub);
  return hub;
}

test.describe("markets", () => {
  test(
    "hubs are filtered while the zip is typed",
    { tag: ["@spec:2.1-21", "@spec:2.4-70"] },
    async ({ page, market }) => {
      await openMarket(market, { ...lawrence, boundaries: [...lawrence.boundaries], name: "Prairie market", zips });
      await openMarket(market, { id: 126, name: "Guild market", zips: ["47401"], lat: 39.16, lng: -86.53 });
      // A visitor without a market sees them without choosing a place first.
      await page.goto("/hubs");
      await expect(page.getByRole("heading", { level: 1, name: "Markets" })).toBeVisible();
      const cards = page.getByRole("list", { name: "Markets" }).getByRole("article");
      await expect(cards.filter({ hasText: "Carmel market" })).toHaveCount(1);
      await expect(cards.filter({ hasText: "Lakeside market" })).toHaveCount(1);
      await expect(page.getByRole("dialog")).toHaveCount(0);

      await page.getByLabel("Zip code").fill("6604");
      await expect(cards).toHaveCount(1);
      const prairie = cards.filter({ hasText: "Prairie market" });
      await expect(prairie).toContainText("Fridays");
      await expect(prairie).toContainText("1AM Thursday");
      await expect(prairie).toContainText("$8.95 flat");
      await expect(page.getByText("1 market delivers to 6604x").first()).toBeVisible();
      // The area is drawn on the card.
      await expect(prairie.locator("svg path")).toHaveCount(3);

      await page.getByLabel("Zip code").fill("999");
      await expect(page.getByText("No market delivers to 999xx yet.").first()).toBeVisible();
      await page.getByRole("button", { name: "Show all markets" }).click();
      await expect(page.getByLabel("Zip code")).toHaveValue("");
      await expect(cards.filter({ hasText: "Guild market" })).toContainText("Run together with the growers’ guild.");
      await expect(cards.filter({ hasText: "Carmel market" })).not.toContainText("growers’ guild");

      // Details, and back to the list as it was.
      await page.getByLabel("Zip code").fill("66");
      await expect(cards).toHaveCount(1);
      await cards.getByRole("link", { name: /^Details/ }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Prairie market" })).toBeVisible();
      await page.goBack();
      await expect(page.getByLabel("Zip code")).toHaveValue("66");
    },
  );

  test("the zip code that a guest came in with is in every form that needs one, and the list of markets can be left whole", async ({
    page,
    shop,
  }) => {
    await comeIn(page, shop.zip);
    const cards = page.getByRole("list", { name: "Markets" }).getByRole("article");
    await page.goto("/hubs");
    await expect(page.getByLabel("Zip code")).toHaveValue(shop.zip);
    await expect(cards).toHaveCount(1);
    await page.getByRole("button", { name: "Show all markets" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Markets" })).toBeFocused();
    await expect(page.getByLabel("Zip code")).toHaveValue("");
    await expect(cards.filter({ hasText: "Lakeside market" })).toHaveCount(1);
    // What was emptied stays empty.
    await page.reload();
    await expect(cards.filter({ hasText: "Lakeside market" })).toHaveCount(1);
    await expect(page.getByLabel("Zip code")).toHaveValue("");
    for (const path of [`/hubs/${shop.hub.id}`, "/jobs", "/driver-application", "/faq", "/embed/contact-us"]) {
      await page.goto(path);
      await expect(page.getByLabel(/zip code/i).first(), path).toHaveValue(shop.zip);
    }
  });

  test(
    "six placeholders stay when the list of hubs fails to load, with Retry",
    { tag: ["@spec:2.1-21", "@spec:8-21"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.route("**/api/hubs", (route) =>
        route.fulfill({ status: 503, json: ["Something went wrong.", { code: "internal" }] }),
      );
      await page.goto("/hubs");
      const boxes = page.getByRole("main").locator("[data-skeleton] > * > *");
      await expect(boxes).toHaveCount(6);
      await expect(page.getByText("The markets are taking a while to load.")).toBeVisible();
      await expect(boxes).toHaveCount(6);
      await page.unroute("**/api/hubs");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(page.getByRole("article").filter({ hasText: "Carmel market" })).toBeVisible();
      await expect(boxes).toHaveCount(0);
    },
  );

  test(
    "hub details: area, delivery day, cutoff and fee",
    { tag: ["@spec:2.1-22", "@spec:7.12-05"] },
    async ({ page, market }) => {
      const hub = await openMarket(market, {
        ...lawrence,
        boundaries: [...lawrence.boundaries],
        name: "Kaw market",
        zips: ["67202"],
      });
      await page.goto(`/hubs/${hub.id}`);
      await expect(page.getByRole("heading", { level: 1, name: "Kaw market" })).toBeVisible();
      const facts = page.getByRole("region", { name: "This week" });
      await expect(facts.getByText("Fridays", { exact: true })).toBeVisible();
      await expect(facts.getByText("1AM Thursday", { exact: true })).toBeVisible();
      await expect(facts.getByText("the day before")).toBeVisible();
      await expect(facts.getByText("$8.95 flat")).toBeVisible();

      const map = page.getByRole("application", { name: "Map of where Kaw market delivers" });
      await expect(map).toBeVisible();
      // The boundary: a filled path in the market's red.
      const boundary = map.locator("svg path").last();
      const paint = await boundary.evaluate((path) => [getComputedStyle(path).fill, getComputedStyle(path).stroke]);
      expect(paint).toEqual(["rgb(194, 30, 30)", "rgb(194, 30, 30)"]);
      await expect(page.getByText("Kansas Douglas")).toBeVisible();

      // Buttons and keys move it; its own start is where Back to the whole area leads.
      const at = () =>
        boundary.evaluate((path) => path.getBoundingClientRect().toJSON() as { x: number; width: number });
      const start = await at();
      await page.getByRole("button", { name: "Zoom in" }).click();
      await expect.poll(async () => (await at()).width).toBeGreaterThan(start.width * 1.3);
      await tabTo(page, map);
      const zoomed = await at();
      await page.keyboard.press("ArrowRight");
      await expect.poll(async () => (await at()).x).toBeLessThan(zoomed.x - 20);
      await page.keyboard.press("+");
      await expect.poll(async () => (await at()).width).toBeGreaterThan(zoomed.width * 1.3);
      await page.getByRole("button", { name: "Show the whole area" }).click();
      await expect.poll(async () => Math.abs((await at()).width - start.width)).toBeLessThan(2);

      // A zip it lists, one only its boundary holds, one of another market, one of none.
      const ask = async (zip: string, answer: string) => {
        await page.getByLabel("Your zip code").fill(zip);
        await page.getByLabel("Your zip code").press("Enter");
        await expect(page.getByRole("main").getByText(answer)).toBeVisible();
      };
      await ask("67202", "Yes, we deliver to 67202 on Fridays.");
      await ask("66025", "Yes, we deliver to 66025 on Fridays.");
      await ask("60601", "Kaw market doesn't deliver to 60601. Lakeside market does, on Thursdays.");
      await ask("99999", "No market delivers to 99999 yet.");
      await page.getByLabel("Your zip code").fill("660");
      await page.getByRole("button", { name: "Check" }).click();
      await expect(page.getByText("Enter a 5-digit zip code")).toBeVisible();
      await expectAccessible(page);
    },
  );

  test(
    "configured map tiles are under the outlines, with their credit",
    { tag: ["@spec:2.1-22", "@fail:H8"] },
    async ({ page, market, pageErrors }) => {
      const url = "https://tiles.example.org/{z}/{x}/{y}.png";
      await withSettings(page, { mapTiles: { url, credit: "Map data from <b>us</b>" } }, { mapTilesUrl: url });
      const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
      await page.route("https://tiles.example.org/**", (route) =>
        route.fulfill({ contentType: "image/png", body: Buffer.from(pixel, "base64") }),
      );
      await page.goto(`/hubs/${market.hub.id}`);
      const area = page.getByRole("region", { name: "Where it delivers" });
      const map = area.getByRole("application");
      await expect(map.locator("img.leaflet-tile-loaded").first()).toBeAttached();
      await expect(map.getByText("Map data from <b>us</b>")).toBeVisible();
      await expect(map.locator("svg path")).toHaveCount(3);
      expectOnlyFrom(pageErrors, "https://tiles.example.org");
    },
  );

  test("a hub without boundaries or map shows text", { tag: ["@spec:2.1-22"] }, async ({ page, market }) => {
    await page.goto(`/hubs/${market.farHub.id}`);
    const area = page.getByRole("region", { name: "Where it delivers" });
    await expect(area.getByText("60601")).toBeVisible();
    await expect(area.getByRole("application")).toHaveCount(0);
    // A refusal is not tried again.
    await page.route("**/api/hubs/*/map", (route) =>
      route.fulfill({ status: 404, json: ["There is no such market.", { code: "not_found" }] }),
    );
    await page.goto(`/hubs/${market.hub.id}`);
    await expect(area.getByText("46033")).toBeVisible();
    // What is being typed below outlives another try.
    const zip = page.getByRole("main").getByRole("textbox", { name: "Your zip code" });
    await zip.fill("46032");
    await page.unroute("**/api/hubs/*/map");
    await page.route("**/api/hubs/*/map", () => undefined);
    const again = page.waitForRequest("**/api/hubs/*/map");
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await again;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expect(zip).toHaveValue("46032");
    await page.goto("/hubs/999999");
    await expect(page.getByText("Page died of dysentery")).toBeVisible();
  });

  test(
    "a guest goes shopping in the current market without registering",
    { tag: ["@spec:4-09"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto(`/hubs/${market.hub.id}`);
      const main = page.getByRole("main");
      await expect(main.getByRole("button", { name: /^Shop Here/ })).toHaveCount(0);
      await main.getByRole("link", { name: "Go to the shop" }).click();
      await page.waitForURL(/\/shop$/);
      await expect(page.getByRole("dialog")).toHaveCount(0);
    },
  );

  test(
    "a guest who shops at another hub registers first",
    { tag: ["@spec:4-09", "@spec:6-05"] },
    async ({ page, market }) => {
      const person = newPerson();
      await beGuest(page, market);
      await page.goto("/hubs");
      const shopHere = page.getByRole("button", { name: "Shop Here at Lakeside market" });
      await shopHere.click();
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByRole("heading", { name: "Register to shop at Lakeside market" })).toBeFocused();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(dialog).toHaveCount(0);
      await expect(shopHere).toBeFocused();
      expect((await (await page.request.get("/api/auth")).json()).hubId).toBe(market.hub.id);

      await shopHere.press("Enter");
      await dialog.getByRole("button", { name: "Register" }).click();
      await register(dialog.last(), person, market.zip);
      await page.waitForURL(/\/shop$/);
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.locator("#hub-chip")).toContainText("Lakeside market");
      await expect
        .poll(async () => (await page.request.get("/api/auth")).json())
        .toMatchObject({ hubId: market.farHub.id, isGuest: false });
      // Back is the list of markets, not the question.
      await page.goBack();
      await expect(page.getByRole("heading", { level: 1, name: "Markets" })).toBeVisible();
      await expect(page.getByRole("dialog")).toHaveCount(0);
    },
  );

  test(
    "a customer changes the hub with a message, also when it fails",
    { tag: ["@spec:4-09", "@spec:8-07"] },
    async ({ page, market }) => {
      const { email } = await market.ask("customer", {});
      await beCustomer(page, market, { email, password: market.customer.password });
      await page.goto(`/hubs/${market.farHub.id}`);
      await page.route("**/api/hubs/*/switch", (route) =>
        route.fulfill({ status: 500, json: ["Something went wrong.", { code: "internal" }] }),
      );
      await page.getByRole("button", { name: "Shop Here at Lakeside market" }).click();
      await expect(page.getByRole("alert").filter({ hasText: "Error changing delivery dates." }).first()).toBeVisible();
      await expect(page).toHaveURL(/\/hubs\/\d+$/);
      await page.unroute("**/api/hubs/*/switch");
      await page.getByRole("button", { name: "Shop Here at Lakeside market" }).click();
      await expect(page.getByText("Changing market to Lakeside market...").first()).toBeVisible();
      await page.waitForURL(/\/shop$/);
      await expect(page.locator("#hub-chip")).toContainText("Lakeside market");
      expect((await (await page.request.get("/api/auth")).json()).hubId).toBe(market.farHub.id);
    },
  );

  test(
    "Market Selection: the delivery day when several hubs serve a zip, and the link to all hubs",
    { tag: ["@spec:2.4-26", "@spec:2.3-08"] },
    async ({ page, market }) => {
      const at = { timeZone: "America/Denver", zips: ["80302"], lat: 40.02, lng: -105.27 };
      await openMarket(market, { ...at, name: "Foothill market", deliveryDay: "Tuesday" });
      const second = await openMarket(market, { ...at, lat: 40.1, name: "Mesa market", deliveryDay: "Saturday" });
      const answer = await page.request.post(`${market.address}/api/auth/guest?zipCode=80302`, {
        headers: { origin: market.address },
      });
      expect(answer.ok()).toBe(true);
      await page.goto("/more");
      await page
        .getByRole("main")
        .getByRole("button", { name: /^Your market/ })
        .click();
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByRole("heading", { name: "Foothill market" })).toBeVisible();
      await expect(dialog.getByRole("radio", { name: /^Tuesday/ })).toBeChecked();
      await expectAccessible(page);
      await dialog.getByRole("radio", { name: /^Saturday/ }).check();
      await dialog.getByRole("button", { name: "Done" }).click();
      await expect(dialog).toHaveCount(0);
      await expect(page.locator("#hub-chip")).toContainText("Mesa market");
      await expect.poll(async () => (await (await page.request.get("/api/auth")).json()).hubId).toBe(second.id);

      await page.locator("#hub-chip").click();
      await dialog.getByRole("button", { name: "Select a Different Location" }).click();
      await expect(page).toHaveURL(/\/hubs$/);
      await expect(page.getByRole("heading", { level: 1, name: "Markets" })).toBeVisible();
    },
  );
});
