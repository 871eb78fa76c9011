import { text } from "node:stream/consumers";

import { expect, type Page, test } from "./lib/fixtures.ts";
import { keptPage, openAndKeep } from "./lib/kept-page.ts";
import { linkTo } from "./lib/mails.ts";
import { askApi, beNewCustomer } from "./lib/orders.ts";
import { beGuest } from "./lib/shopper.ts";

test.use({ serviceWorkers: "allow" });

const SLOW = /^The market is slow to answer\. This is the market as it was on /;

/** Answers the page at a path only once it is released; counts how often the server renders it. */
async function holdPage(page: Page, path: string) {
  const gate = Promise.withResolvers<void>();
  const held = { rendered: 0, release: gate.resolve };
  await page.context().route(
    (url) => url.pathname === path,
    async (route) => {
      held.rendered += 1;
      await gate.promise;
      await route.continue();
    },
  );
  return held;
}

/** How many documents a tab loads from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("domcontentloaded", () => (loads += 1));
  return () => loads;
}

/** Whether the late answer for a path waits for the load of its page. */
const isLateStored = (page: Page, path: string) =>
  page.evaluate(async (path) => {
    const url = `/late/${encodeURIComponent(location.origin + path)}`;
    return (await (await caches.open("marketday-page-1")).match(url)) !== undefined;
  }, path);

test(
  "a page that is slow for 35 s is rendered once by the server, and then replaces the kept one",
  { tag: ["@fail:M10"] },
  async ({ page, market }) => {
    await beGuest(page, market);
    await page.clock.install();
    await openAndKeep(page);
    const before = await keptPage(page);
    const shop = await holdPage(page, "/shop");
    const loads = countLoads(page);
    await page.reload({ waitUntil: "domcontentloaded" });
    const notice = page.getByText(SLOW);
    await expect(notice).toBeVisible();
    await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
    await page.clock.fastForward(35_000);
    await expect(notice).toBeVisible();
    expect(shop.rendered).toBe(1);
    expect(loads()).toBe(1);

    shop.release();
    await expect(notice).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
    // It is also the page that is kept now.
    await expect.poll(() => keptPage(page)).not.toBe(before);
    await page.clock.fastForward(35_000);
    expect(shop.rendered).toBe(1);
    expect(loads()).toBe(2);
  },
);

test("a page that comes late waits until what is being written is gone", async ({ page, market }) => {
  await beGuest(page, market);
  await page.clock.install();
  await openAndKeep(page);
  const shop = await holdPage(page, "/shop");
  await page.reload({ waitUntil: "domcontentloaded" });
  const notice = page.getByText(SLOW);
  await expect(notice).toBeVisible();
  const search = page.getByRole("combobox").first();
  await search.fill("apples");
  const loads = countLoads(page);
  shop.release();
  await expect.poll(() => isLateStored(page, "/shop")).toBe(true);
  await page.clock.fastForward(10_000);
  await expect(search).toHaveValue("apples");
  await expect(notice).toBeVisible();
  expect(loads()).toBe(0);

  await search.fill("");
  await expect(notice).toHaveCount(0);
  // The notice leaves with the page, before the next one has been read.
  await expect.poll(loads).toBe(1);
});

test("the page of a link in a mail that is slow is opened once, and no page of the shop is shown in its place", async ({
  page,
  market,
}) => {
  const { email } = await beNewCustomer(page, market);
  await askApi(page, market, "POST", "/account/export", { password: market.customer.password });
  const link = await linkTo(market, email, "/account/data");
  await openAndKeep(page);
  const data = await holdPage(page, link);
  const loads = countLoads(page);
  await page.evaluate((link) => location.assign(link), link);
  await expect.poll(() => data.rendered).toBe(1);

  // As long as a page of the shop may take before the kept one is shown.
  const other = await page.context().newPage();
  await holdPage(other, "/faq");
  await other.goto("/faq", { waitUntil: "domcontentloaded" });
  await expect(other.getByText(SLOW)).toBeVisible();
  expect(loads()).toBe(0);

  data.release();
  await expect(page.getByRole("heading", { name: "Your data is ready", exact: true })).toBeVisible();
  expect(data.rendered).toBe(1);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data", exact: true }).click();
  const file: unknown = JSON.parse(await text(await (await downloading).createReadStream()));
  expect((file as { customer: { email: string } }).customer.email).toBe(email);
});
