import type { Browser, BrowserContext } from "@playwright/test";

import { isLarge, isSoak } from "../../../prisma/test/size.ts";
import { callApi, openOrderOf, reach, screensOf, type Shown } from "../../../scripts/lib/screens/index.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { expect, type Page, type TestMarket, test } from "./lib/fixtures.ts";
import { expectLayout } from "./lib/layout.ts";
import { smallTargets } from "./lib/small-targets.ts";
import { expectSeparateTexts } from "./lib/translation.ts";

/** The names are needed before there is a market: the same list, of nothing. */
const nothing: Shown = {
  address: "",
  hubId: 0,
  product: "",
  collection: "",
  bundle: "",
  line: { productId: 0, variantId: 0 },
  customer: null,
  orderId: 0,
  staff: null,
};
const names = screensOf(nothing).map(({ name }) => name);

const phone = { viewport: { width: 360, height: 740 }, colorScheme: "light", hasTouch: true } as const;
const desktop = { viewport: { width: 1280, height: 860 }, colorScheme: "dark" } as const;
/** The last: a desktop of 1280 px at a zoom of 400 %. */
const phones = [
  { width: 360, height: 740, text: 100 },
  { width: 320, height: 740, text: 100 },
  { width: 390, height: 844, text: 200 },
  { width: 360, height: 740, text: 200 },
  { width: 320, height: 740, text: 200 },
  { width: 320, height: 256, text: 100 },
] as const;
const desktops = [
  { width: 1280, height: 860, text: 100 },
  { width: 1280, height: 860, text: 200 },
  { width: 1920, height: 1080, text: 100 },
] as const;
/** Each at a size and in colors, opened for itself in `pnpm soak`; only the last when what this test guards changed. */
const looks = [360, 768, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({
    look: `${width} ${colorScheme}`,
    viewport: { width, height: 860 },
    colorScheme,
    hasTouch: width < 1024,
  })),
);

const shownIn = new Map<string, Promise<Shown>>();

/** What the screens show in a worker's market: made once. */
function shownOf(market: TestMarket, browser: Browser): Promise<Shown> {
  const before = shownIn.get(market.address);
  if (before) return before;
  const made = (async (): Promise<Shown> => {
    const { email } = await market.ask("customer", { address: true });
    const customer = { email, password: market.customer.password };
    const product = market.products[6]!;
    const bundle = await market.ask("bundle", {
      title: "Sunday soup",
      slug: `sunday-soup-${product.id}`,
      discountPpm: 100_000,
      items: [
        { variantId: product.variantId, ingredients: "Eggs." },
        { variantId: market.products[0]!.variantId, quantity: 2 },
      ],
    });
    const line = { productId: product.id, variantId: product.variantId };
    const context = await browser.newContext();
    await callApi(context, market.address, "POST", "/auth/login", { username: email, password: customer.password });
    const orderId = await openOrderOf(context, market.address, line);
    await context.close();
    return {
      address: market.address,
      hubId: market.hub.id,
      product: product.slug,
      collection: market.collection.slug,
      bundle: bundle.slug,
      line,
      customer,
      orderId,
      staff: null,
    };
  })();
  shownIn.set(market.address, made);
  return made;
}

interface Opening {
  page: Page;
  context: BrowserContext;
  browser: Browser;
  market: TestMarket;
}
async function open(name: string, { page, context, browser, market }: Opening): Promise<void> {
  const shown = await shownOf(market, browser);
  const screen = screensOf(shown).find((one) => one.name === name);
  if (!screen) throw new Error(`There is no screen ${name}.`);
  await reach(context, page, screen, shown);
}

if (isLarge)
  for (const { look, ...use } of looks.slice(isSoak ? 0 : -1))
    test.describe(`at ${look}`, () => {
      test.use(use);
      const { width } = use.viewport;
      for (const name of names)
        test(
          `${name} has no accessibility violations`,
          { tag: ["@fail:H8", "@spec:1-06"] },
          async ({ page, context, browser, market }) => {
            await open(name, { page, context, browser, market });
            await expectAccessible(page);
            if (use.hasTouch) expect(await smallTargets(page)).toEqual([]);
            await expectLayout(page, [
              { width, height: 860, text: 100 },
              { width, height: 860, text: 200 },
              ...(width === 360 ? phones : [{ width: 1920, height: 1080, text: 100 } as const]),
            ]);
          },
        );
    });
if (!isSoak)
  test.describe("at 360 light and 1280 dark", () => {
    test.use(phone);
    for (const name of names)
      test(
        `${name} has no accessibility violations in both themes, survives a translation, and cuts nothing at 320 to 1920 px with text of 100 % and 200 %`,
        { tag: ["@fail:H8", "@spec:1-06"] },
        async ({ page, context, browser, market }) => {
          await open(name, { page, context, browser, market });
          await expectAccessible(page);
          await expectSeparateTexts(page);
          expect(await smallTargets(page)).toEqual([]);
          await expectLayout(page, phones);

          await page.setViewportSize(desktop.viewport);
          await page.emulateMedia({ colorScheme: desktop.colorScheme });
          await expectContrast(page);
          await expectLayout(page, desktops);
        },
      );
  });
