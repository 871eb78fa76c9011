import type { Locator } from "@playwright/test";

import { expect, type Page, type TestMarket, test } from "./lib/fixtures.ts";
import { appIsUp, beGuest, nameOfItsOwn } from "./lib/shopper.ts";
import { openWithHeartbeat } from "./lib/timers.ts";

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Notes the layout shifts of the page from its first paint on: how much each is, what moved, from where and to where. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
        if (hadRecentInput) continue;
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const html = node instanceof Element ? node.outerHTML : node?.textContent;
          return `${html?.slice(0, 120)} (${place(previousRect)} → ${place(currentRect)})`;
        });
        shifts.push(`${value}: ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
const shiftsOf = (page: Page) => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);

/** Their fallbacks (packages/ui/src/styles/base.css) are fonts that this machine may not have, so that their coming would move text. */
const withoutFonts = (page: Page) => page.route("**/*.woff2", (route) => route.abort());

/** Pages that people share. The vendor has pictures, the other market is not the shopper's. */
async function makeSharedPages(shop: TestMarket) {
  const vendor = await shop.ask("vendor", {
    name: nameOfItsOwn("Shared Shelf"),
    products: 5,
    description: "Vegetables from a floodplain, picked the day before they leave. ".repeat(3),
  });
  await shop.ask("vendorPictures", { id: vendor.id });
  const bundle = await shop.ask("bundle", {
    title: "Shared soup",
    slug: `shared-soup-${shop.hub.id}`,
    items: shop.products.slice(0, 3).map(({ variantId }) => ({ variantId })),
  });
  return [
    `/product/${shop.products[0]!.slug}`,
    `/collections/${shop.collection.slug}`,
    `/vendors/${vendor.slug}`,
    `/collections/vendor/${vendor.slug}`,
    `/bundles/${bundle.slug}`,
    "/hubs",
    `/hubs/${shop.farHub.id}`,
  ];
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 412, height: 823 } });

  test("first visit by a shared link: Welcome opens without layout shift", async ({ page, context, shop }) => {
    await watchShifts(page);
    await withoutFonts(page);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 2 });
    for (const address of await makeSharedPages(shop)) {
      await page.goto(address);
      await appIsUp(page);
      if (address.startsWith("/hubs")) await expect(page.locator("[data-skeleton]")).toHaveCount(0);
      else await expect(page.getByRole("dialog").last().getByLabel("Zip code")).toBeVisible();
      expect([address, await shiftsOf(page)]).toEqual([address, []]);
    }
  });
});

const paintTwice = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

for (const [width, height] of [
  [360, 740],
  [1280, 860],
] as const)
  test(`slow line at ${width} px: pictures, then code, then each answer arrive without layout shift`, async ({
    page: first,
    context,
    shop,
  }) => {
    await beGuest(first, shop);
    let answered = 0;
    for (const address of ["/shop", ...(await makeSharedPages(shop))]) {
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      await watchShifts(page);
      await withoutFonts(page);
      let release = () => {};
      const held = new Promise<void>((done) => (release = done));
      await page.route(/\/assets\/index-[^/]*\.js/, async (route) => {
        await held;
        await route.continue();
      });
      let last = Promise.resolve();
      let open = 0;
      await page.route(/\/api\//, async (route) => {
        const turn = last;
        let over = () => {};
        last = new Promise((done) => (over = done));
        open += 1;
        try {
          const response = await route.fetch();
          await turn;
          await route.fulfill({ response });
          await paintTwice(page);
        } finally {
          open -= 1;
          answered += 1;
          over();
        }
      });
      await page.goto(address, { waitUntil: "commit" });
      const view = page.locator("main.static-view");
      await expect(view).toBeVisible();
      // Those below the fold are not loaded.
      const pictures = view.locator('img:not([loading="lazy"])');
      await expect
        .poll(() =>
          pictures.evaluateAll((all: HTMLImageElement[]) => all.every(({ naturalWidth }) => naturalWidth > 0)),
        )
        .toBe(true);
      await paintTwice(page);
      release();
      await expect(view).toHaveCount(0);
      await page.waitForLoadState("networkidle");
      await expect.poll(() => open).toBe(0);
      await expect(page.locator("[data-skeleton]")).toHaveCount(0);
      await paintTwice(page);
      expect([address, await shiftsOf(page)]).toEqual([address, []]);
      // The polls of the session have begun.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.close();
    }
    expect(answered).toBeGreaterThan(0);
  });

test("slow line: the server's view stays until the page's code is loaded", async ({ page, shop }) => {
  await beGuest(page, shop);
  const { slug, title } = shop.products[0]!;
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route(/\/assets\/product-panel-[^/]*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  // The app's own script has run by then; the held chunk is only preloaded.
  await page.goto(`/product/${slug}`, { waitUntil: "domcontentloaded" });
  const view = page.locator("main.static-view");
  await paintTwice(page);
  await expect(view.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // The same file before and after.
  const shown = (place: string) =>
    page
      .locator(`${place} picture img`)
      .first()
      .evaluate((image: HTMLImageElement) => image.currentSrc);
  await expect.poll(() => shown("main.static-view")).toMatch(/\.avif$/);
  const before = await shown("main.static-view");
  release();
  await expect(page.getByRole("dialog").getByRole("button", { name: /^Add to Cart/ })).toBeVisible();
  await expect(view).toHaveCount(0);
  expect(await shown("dialog")).toBe(before);
});

test("the server's view of the shop has the same products in the same order as the app", async ({
  page,
  browser,
  shop,
}) => {
  await beGuest(page, shop);
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const still = await plain.newPage();
  await still.goto(`${shop.address}/shop`);
  const heading = await still.getByRole("heading", { level: 1 }).innerText();
  const sentence = await still.locator("main.static-view > p").innerText();
  const titles = await still.locator("main.static-view li span").allInnerTexts();
  await plain.close();
  expect(titles).toHaveLength(6);
  await page.goto("/shop");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
  await expect(page.getByText(sentence)).toBeVisible();
  const shown = page.getByRole("region", { name: "Picked for this week" }).getByRole("article").getByRole("heading");
  await expect.poll(async () => (await shown.allInnerTexts()).slice(0, 6)).toEqual(titles);
});

/** What the server's view of a page names. */
interface View {
  heading: string;
  paragraphs: string[];
  items: string[];
}

async function readView(page: Page): Promise<View> {
  const view = page.locator("main.static-view");
  return {
    heading: await view.getByRole("heading", { level: 1 }).innerText(),
    paragraphs: await view.locator("> p").allInnerTexts(),
    items: await view.locator("li").allInnerTexts(),
  };
}

/** Every text is shown in one of these elements, in the same order. */
const expectInOrder = (found: Locator, texts: string[]) =>
  expect.poll(async () => (await found.allInnerTexts()).slice(0, texts.length)).toEqual(texts);

/** "$18.95" of a bundle's price, whose cents are raised beside the text that is read aloud. */
const priceOf = (place: Locator) => place.locator("[translate=no] > :not([aria-hidden])").first();

test("the server's view of each kind of page names what the app shows: heading, goods in order, prices and sentences", async ({
  page,
  browser,
  market,
  shop,
}) => {
  const name = nameOfItsOwn("Twin & Sons");
  const vendor = await shop.ask("vendor", {
    name,
    products: 3,
    description: `<p>Tom &amp; Sons grow <b>rye</b>, oats &lt;3.</p><p>${"Picked the day before they leave. ".repeat(5)}</p>`,
  });
  const bundle = await shop.ask("bundle", {
    title: "Twin soup",
    slug: `twin-soup-${shop.hub.id}`,
    items: shop.products.slice(0, 3).map(({ variantId }, place) => ({ variantId, quantity: place + 1 })),
  });
  const panel = page.getByRole("dialog").last();
  const vendorHead = async ([place, description]: string[]) => {
    await expect(panel.getByText(place!, { exact: true })).toBeVisible();
    if (description === undefined) return;
    await panel.getByRole("button", { name: "View More" }).click();
    const words = async () => (await panel.locator("[data-rich-text]").innerText()).replaceAll(/\s+/g, " ");
    expect(await words()).toBe(description);
  };
  /** The address, and what the app shows of what the server's view names. */
  const kinds: [path: string, expectShown: (view: View) => Promise<void>][] = [
    ["/collections", ({ items }) => expectInOrder(page.locator("main article").getByRole("link"), items)],
    [`/collections/${shop.collection.slug}`, async () => {}],
    [
      "/vendors",

      async ({ items }) => {
        // "Beck’s Bees Sheridan, IN"
        const shown = page.getByRole("main").getByRole("article");
        await expect(shown).toHaveCount(items.length);
        const texts = await shown.evaluateAll((all) =>
          all.map((one) => `${one.querySelector("h3")?.textContent} ${one.querySelector("p")?.textContent}`),
        );
        expect(texts).toEqual(items);
      },
    ],
    [`/vendors/${vendor.slug}`, ({ paragraphs }) => vendorHead(paragraphs)],
    [
      `/collections/vendor/${vendor.slug}`,

      async ({ paragraphs, items }) => {
        await vendorHead(paragraphs);
        expect(items).toHaveLength(3);
        await expectInOrder(panel.getByRole("article").getByRole("heading"), items);
      },
    ],
    [
      "/bundles",

      async ({ paragraphs: [intro], items }) => {
        await expect(page.getByText(intro!, { exact: true })).toBeVisible();
        for (const [place, item] of items.entries()) {
          const card = page.getByRole("main").getByRole("article").nth(place);
          const title = await card.getByRole("heading").innerText();
          expect(`${title} ${await priceOf(card).textContent()}`).toBe(item);
        }
      },
    ],
    [
      `/bundles/${bundle.slug}`,

      async ({ paragraphs: [price, description], items }) => {
        await expect(priceOf(panel)).toHaveText(price!);
        await expect(panel.locator("[data-rich-text]")).toHaveText(description!);
        const shown = panel.getByRole("list", { name: "In this bundle" }).getByRole("listitem");
        // "2 × Eggs, Each", in the app "2 × of Eggs" and below it "Each · Rooted Acre Farm".
        const texts = await shown.evaluateAll((all) =>
          all.map((one) => {
            const size = one.querySelector("p + p")?.textContent.split(" · ")[0];
            return `${one.querySelector("p > span")?.firstChild?.textContent} × ${one.querySelector("a")?.textContent}, ${size}`;
          }),
        );
        expect(texts).toEqual(items);
      },
    ],
    [
      "/hubs",

      async ({ paragraphs: [intro], items }) => {
        await expect(page.getByText(intro!, { exact: true })).toBeVisible();
        // The ZIP code of this shopper is not known: no market is left out.
        const cards = page.getByRole("list", { name: "Markets" }).getByRole("article");
        await expect(cards).toHaveCount(items.length);
        const texts = await cards.evaluateAll((all) =>
          all.map((one) => {
            const [delivers, orderBy, fee] = [...one.querySelectorAll("dd")].map((fact) => fact.textContent);
            return `${one.querySelector("h2")?.textContent} Delivers on ${delivers}, order by ${orderBy}, ${fee}.`;
          }),
        );
        expect(texts).toEqual(items);
      },
    ],
    [
      `/hubs/${market.hub.id}`,

      async ({ paragraphs: [facts, ...area] }) => {
        const main = page.getByRole("main");
        for (const fact of await main
          .locator("dd")
          .evaluateAll((all) => all.map(({ firstChild }) => firstChild!.textContent!)))
          expect(facts).toContain(fact);
        const region = page.getByRole("region", { name: "Where it delivers" });
        await region.getByText(/zip codes$/).click();
        const zips = await region.locator("details li").allInnerTexts();
        const states = await region.locator("> ul > li").allInnerTexts();
        expect(states.length).toBeGreaterThan(0);
        expect(area).toEqual([...states, `Zip codes: ${zips.join(", ")}.`]);
      },
    ],
  ];
  await beGuest(page, shop);
  const plain = await browser.newContext({
    baseURL: shop.address,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const still = await plain.newPage();
  for (const [path, expectShown] of kinds)
    await test.step(path, async () => {
      await still.goto(path);
      const view = await readView(still);
      await page.goto(path);
      await appIsUp(page);
      await expect(page.getByRole("heading", { name: view.heading, exact: true }).first()).toBeVisible();
      await expectShown(view);
    });
  await plain.close();
});

test("code is prefetched in the order of a purchase, also without requestIdleCallback, not on a slow line", async ({
  page,
  context,
  shop,
}) => {
  await beGuest(page, shop);
  await page.addInitScript("delete window.requestIdleCallback");
  // The second one holds the checkout and the login; a desktop has cart and search already.
  const wanted = ["product-panel", "purchase"];
  const order: string[] = [];
  const files = new Set<string>();
  page.on("request", (request) => {
    const url = request.url();
    if (/\/assets\/.*\.(js|css)$/.test(url)) files.add(url);
    const name = [...wanted, "collection-panel", "orders-modal"].find((one) => url.includes(`/assets/${one}-`));
    if (name && url.endsWith(".js")) order.push(name);
  });
  // The polls of session and build have their own files.
  await openWithHeartbeat(page, "/shop");
  await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  files.clear();
  // The banner has no link to an overlay, which would be prefetched too.
  await page.mouse.move(5, 200);
  await expect.poll(() => order).toEqual(wanted);
  await page.waitForLoadState("networkidle");
  expect(order).toEqual(wanted);
  expect(files.size, [...files].join(" ")).toBeLessThanOrEqual(12);

  const slow = await context.newPage();
  await slow.addInitScript(() =>
    Object.defineProperty(navigator, "connection", { value: { saveData: false, effectiveType: "3g" } }),
  );
  let ahead = 0;
  const isAhead = /product-panel|purchase-|\/api\/products\//;
  slow.on("request", (request) => (ahead += isAhead.test(request.url()) ? 1 : 0));
  await slow.goto("/shop");
  await expect(slow.getByRole("main").getByRole("article").first()).toBeVisible();
  await slow.mouse.move(200, 200);
  await slow.getByRole("main").getByRole("article").first().getByRole("link").first().hover();
  await slow
    .getByRole("banner")
    .getByRole("button", { name: /^Your market/ })
    .click();
  await expect(slow.getByRole("dialog").getByRole("heading").first()).toBeVisible();
  expect(ahead).toBe(0);
});
