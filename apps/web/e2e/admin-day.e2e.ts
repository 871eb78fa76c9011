import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";

const MARKUP = '<img src=x onerror="alert(1)">';

/** A closed day of three boxes, opened by a person who leads the depot. */
async function openDay(page: Page, market: TestMarket, { isClosed = true } = {}) {
  const day = await market.ask("deliveryDay", {
    orders: [
      { name: "Anna", quantity: 1 },
      { name: `Bo ${MARKUP}`, quantity: 2, notes: `Ring twice ${MARKUP}` },
      { name: "Cleo", quantity: 3 },
    ],
    vendor: `Cluck & Co. ${MARKUP}`,
    product: "Pasture Eggs",
    isClosed,
  });
  const { id } = await market.ask("staff", { ...newStaff(), role: "depot_lead" });
  await beStaff(page, market, id);
  const path = `/admin/days/${day.hub}/${day.date}`;
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${day.name},`);
  return { ...day, path };
}

/** The file behind a link, read with the page's session. */
async function readFile(page: Page, name: string) {
  const href = await page.getByRole("link", { name, exact: true }).getAttribute("href");
  const answer = await page.request.get(href!);
  const bytes = await answer.body();
  return { type: answer.headers()["content-type"], size: bytes.length, start: bytes.subarray(0, 5).toString(), href };
}

const PDF = { type: "application/pdf", start: "%PDF-" };

test("delivery day: sheets are made and open as PDF; an order that is cancelled elsewhere leads to version 2, which prints only what changed", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  const next = page.getByRole("region", { name: "The sheets are not made yet" });
  await expect(next).toContainText("3 boxes wait for their sheets.");
  await expect(page.getByRole("link", { name: /PDF/ })).toHaveCount(0);
  await next.getByLabel("Drivers").fill("none");
  await next.getByRole("button", { name: "Create sheets" }).click();
  await expect(next.getByLabel("Drivers")).toHaveAccessibleDescription(/Enter a whole number, like 4\./);
  await next.getByLabel("Drivers").fill("2");
  await next.getByRole("button", { name: "Create sheets" }).click();

  const ready = page.getByRole("region", { name: "Version 1 is ready to print" });
  await expect(ready).toBeVisible();
  const all = await readFile(page, "Print all");
  expect(all).toMatchObject(PDF);
  expect(all.size).toBeGreaterThan(10_000);
  for (const name of ["Pack lists", "Fill sheets", "Driver sheets", "Load lists", "Pick sheets", "Labels, Avery 5160"])
    expect([name, await readFile(page, `${name}, PDF, opens in a new tab`)]).toMatchObject([name, PDF]);
  await expect(ready.getByRole("link", { name: "Print all" })).toHaveAttribute("target", "_blank");

  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await market.ask("cancelFrozen", { id: day.orders[1]! });
  // The page follows the server.
  const stale = page.getByRole("region", { name: "Orders changed after version 1" });
  await expect(stale.getByRole("link", { name: "Print version 1" })).toBeVisible();
  await expect(page.getByText("Out of date: orders changed")).toBeVisible();
  await stale.getByRole("button", { name: "Make version 2" }).click();
  await expect(page.getByRole("region", { name: "Version 2 is ready to print" })).toBeVisible();
  const changed = page.getByRole("region", { name: "Only what changed" });
  await expect(changed.getByRole("list", { name: "Changed totes" }).getByRole("listitem")).toHaveText(["Tote 2"]);
  expect(await readFile(page, "Print only what changed")).toMatchObject(PDF);
  const versions = page.getByRole("region", { name: "Versions" });
  await expect(versions).toContainText("Cancelled: set the tote aside");
  // What people type is text.
  await expect(versions).toContainText(`Bo ${MARKUP}`);
  await expect(page.getByRole("list", { name: "Vendors of the day" })).toContainText(`Cluck & Co. ${MARKUP}`);
  await expect(page.getByRole("main").locator("img")).toHaveCount(0);
  expect(await readFile(page, "Print version 1 again")).toMatchObject({ ...PDF, size: all.size });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
});

test("delivery day: another number of drivers makes a version, and a lost connection keeps what was typed", async ({
  page,
  market,
  context,
}) => {
  await openDay(page, market);
  await page.getByRole("button", { name: "Create sheets" }).click();
  await page.getByRole("region", { name: "Version 1 is ready to print" }).getByLabel("Drivers").fill("2");
  const make = page.getByRole("button", { name: "Make version 2 with 2 drivers" });
  await context.setOffline(true);
  await make.click();
  const card = page.getByRole("region", { name: "Plan the routes for 2 drivers" });
  await expect(card.getByRole("alert")).toContainText("We don’t know whether the sheets were made.");
  await expect(card.getByLabel("Drivers")).toHaveValue("2");
  await context.setOffline(false);
  await make.click();
  await expect(page.getByRole("region", { name: "Version 2 is ready to print" })).toBeVisible();
  await expect(page.getByText("Version 2 made")).toBeVisible();
});

test("delivery day: a number of drivers typed before the answer arrives stays, with the focus", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  let answer = (): void => {};
  const isTyped = new Promise<void>((done) => (answer = done));
  await page.route(`**/api/admin/hubs/${day.hub}/days/${day.date}/sheets`, async (route) => {
    const response = await route.fetch();
    await isTyped;
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Create sheets" }).click();
  // The event tells the page before the answer does.
  const drivers = page.getByRole("region", { name: "Version 1 is ready to print" }).getByLabel("Drivers");
  await drivers.fill("2");
  answer();
  await expect(page.getByText("The sheets of version 1 are ready.")).toBeAttached();
  const card = page.getByRole("region", { name: "Plan the routes for 2 drivers" });
  await expect(card.getByLabel("Drivers")).toHaveValue("2");
  await expect(card.getByLabel("Drivers")).toBeFocused();
});

test("delivery day: a version that someone else makes first is shown instead of another one, with its number of drivers", async ({
  page,
  market,
  context,
}) => {
  const day = await openDay(page, market);
  await page.getByRole("button", { name: "Create sheets" }).click();
  await expect(page.getByRole("region", { name: "Version 1 is ready to print" })).toBeVisible();
  await market.ask("cancelFrozen", { id: day.orders[1]! });
  const stale = page.getByRole("region", { name: "Orders changed after version 1" });
  await expect(stale).toBeVisible();

  // This page learns of nothing more until its request arrives.
  const address = `/api/admin/hubs/${day.hub}/days/${day.date}`;
  const old = await (await page.request.get(address)).json();
  let isBehind = true;
  const sent: unknown[] = [];
  await page.route(`**${address}`, (route) => (isBehind ? route.fulfill({ json: old }) : route.continue()));
  await page.route(`**${address}/sheets`, (route) => {
    isBehind = false;
    sent.push(route.request().postDataJSON());
    return route.continue();
  });
  const other = await context.newPage();
  await other.goto(day.path);
  await other.getByLabel("Drivers").fill("2");
  await other.getByRole("button", { name: "Make version 2" }).click();
  await expect(other.getByRole("region", { name: "Version 2 is ready to print" })).toBeVisible();

  await stale.getByRole("button", { name: "Make version 2" }).click();
  const ready = page.getByRole("region", { name: "Version 2 is ready to print" });
  await expect(ready.getByRole("alert")).toContainText("Version 2 was made in the meantime, for 2 drivers.");
  await expect(ready.getByLabel("Drivers")).toHaveValue("2");
  // The number that was only shown is not sent.
  expect(sent).toEqual([{ expectedVersion: 1 }]);
  await other.reload();
  await expect(other.getByRole("region", { name: "Version 2 is ready to print" })).toBeVisible();
});

test("delivery day: before the cutoff it shows until when orders are open and what is ordered so far; a date without a delivery leads to the days near it", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market, { isClosed: false });
  await expect(page.getByText(/^Orders are open until 1\sAM .* left\.$/)).toBeVisible();
  await expect(page.getByText("You can make the sheets when orders have closed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create sheets" })).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: "Cluck & Co." })).toContainText("1 product, 6 items");
  await page.goto(`/admin/days/${day.hub}/2025-01-01`);
  await expect(page.getByRole("heading", { level: 1, name: "No such delivery day" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("list").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${day.name},`);
});
