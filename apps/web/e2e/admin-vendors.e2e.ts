import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { openBrowser } from "./lib/fixtures.ts";
import { expectLayout } from "./lib/layout.ts";

const MARKUP = '<img src=x onerror="alert(1)">';
const CLUCK = `Cluck & Co. ${MARKUP}`;

/** A day of four vendors, opened by a person who leads the depot. */
async function openDay(page: Page, market: TestMarket, { isClosed = true } = {}) {
  const day = await market.ask("deliveryDay", {
    orders: [{ name: "Anna", quantity: 3 }],
    vendor: CLUCK,
    product: "Pasture Eggs",
    moreVendors: ["Dill Farm", "Elm Farm", "Fern & Spore"],
    isClosed,
  });
  const path = `/admin/days/${day.hub}/${day.date}`;
  await openAs(page, market, { path, name: day.name }, "depot_lead");
  return { ...day, path };
}

async function openAs(
  page: Page,
  market: TestMarket,
  { path, name }: { path: string; name: string },
  role: "depot_lead" | "manager" | "support",
) {
  const { id } = await market.ask("staff", { ...newStaff(`Ada ${role}`), role });
  await beStaff(page, market, id);
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${name},`);
}

const vendors = (page: Page) => page.getByRole("region", { name: "Vendors of the day" });
const rowOf = (page: Page, name: string) =>
  page.getByRole("list", { name: "Vendors of the day" }).getByRole("listitem").filter({ hasText: name });
const here = (page: Page, name: string) => page.getByRole("button", { name: `Here: ${name}`, exact: true });

test("vendors in: each is checked in with one click, all that are left with another, and both can be taken back", async ({
  page,
  market,
}) => {
  await openDay(page, market);
  await expect(vendors(page)).toContainText("0 of 4 here");
  await expect(page.getByRole("button", { name: "All 4 are here" })).toBeVisible();
  await expect(rowOf(page, "Dill Farm")).toContainText("Not confirmed");
  await here(page, "Dill Farm").click();
  await expect(here(page, "Dill Farm")).toHaveAttribute("aria-pressed", "true");
  await expect(rowOf(page, "Dill Farm")).toContainText(/Here \d+(:\d\d)?\s[AP]M/);
  await expect(vendors(page)).toContainText("1 of 4 here");

  await page.getByRole("button", { name: "The other 3 are here too" }).click();
  // It stays under the pointer.
  await page.getByRole("button", { name: "Undo" }).hover();
  await expect(vendors(page)).toContainText("4 of 4 here");
  await expect(page.getByRole("heading", { name: "Vendors of the day" })).toBeFocused();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(vendors(page)).toContainText("1 of 4 here");
  // A reload ends a request that has not left.
  const saved = page.waitForResponse((response) => /\/vendors\/\d+$/.test(response.url()));
  await here(page, "Dill Farm").click();
  await expect(vendors(page)).toContainText("0 of 4 here");
  await saved;
  await page.reload();
  await expect(vendors(page)).toContainText("0 of 4 here");
});

test("vendors in: what one person checks in is on the page of another, with who it was", async ({
  page,
  market,
  browser,
}) => {
  const day = await openDay(page, market);
  const context = await openBrowser(browser, market);
  const other = await context.newPage();
  await openAs(other, market, day, "manager");
  await expect(other.getByText("Live", { exact: true })).toBeVisible();
  await here(page, "Elm Farm").click();
  await expect(here(other, "Elm Farm")).toHaveAttribute("aria-pressed", "true");
  await other.getByRole("button", { name: "Elm Farm", exact: true }).click();
  await expect(rowOf(other, "Elm Farm")).toContainText("by Ada depot_lead.");
  await other.getByRole("checkbox", { name: "Confirmed what they bring" }).check();
  await expect(rowOf(other, "Elm Farm")).toContainText("by Ada manager.");
  await other.goto("/admin");
  await expect(
    other
      .getByRole("list", { name: new RegExp(`^Steps of ${day.name}, .+$`) })
      .first()
      .getByRole("listitem")
      .filter({ hasText: "Vendors in" }),
  ).toContainText("1 of 4");
  await context.close();
});

test("vendors in: when someone else has changed a vendor since, theirs is shown and nothing is overwritten", async ({
  page,
  market,
  context,
}) => {
  const day = await openDay(page, market);
  const address = `/api/admin/hubs/${day.hub}/days/${day.date}`;
  const old = await (await page.request.get(address)).json();
  // This page learns of nothing more until its request arrives.
  let isBehind = true;
  await page.route(`**${address}`, (route) => (isBehind ? route.fulfill({ json: old }) : route.continue()));
  const other = await context.newPage();
  await other.goto(day.path);
  await here(other, "Dill Farm").click();
  await expect(rowOf(other, "Dill Farm")).toContainText(/Here \d/);

  await page.getByRole("button", { name: "Dill Farm", exact: true }).click();
  await page.route(`**${address}/vendors/*`, (route) => {
    isBehind = false;
    return route.continue();
  });
  await rowOf(page, "Dill Farm").getByRole("checkbox").click();
  await expect(rowOf(page, "Dill Farm").getByText(/in the meantime/)).toHaveText(
    "Dill Farm was changed in the meantime. Check it before you change it again.",
  );
  await expect(here(page, "Dill Farm")).toHaveAttribute("aria-pressed", "true");
  await expect(rowOf(page, "Dill Farm").getByRole("checkbox")).not.toBeChecked();
  await rowOf(page, "Dill Farm").getByRole("checkbox").check();
  await expect(rowOf(page, "Dill Farm").getByText(/in the meantime/)).toHaveCount(0);
});

test("vendors in: without an answer the check-in is taken back with a sentence, and the next try does it", async ({
  page,
  market,
  context,
}) => {
  await openDay(page, market);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await context.setOffline(true);
  await here(page, "Dill Farm").click();
  await expect(rowOf(page, "Dill Farm").getByRole("alert")).toContainText(
    "We don’t know whether the change to Dill Farm was saved.",
  );
  await expect(here(page, "Dill Farm")).toHaveAttribute("aria-pressed", "false");
  await context.setOffline(false);
  await here(page, "Dill Farm").click();
  await expect(rowOf(page, "Dill Farm")).toContainText(/Here \d/);
  await expect(rowOf(page, "Dill Farm").getByRole("alert")).toHaveCount(0);
});

test("vendors in: a click that corrects the one on its way is shown at once and sent after it", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  let answer = (): void => {};
  const isClicked = new Promise<void>((done) => (answer = done));
  const sent: unknown[] = [];
  await page.route(`**/api/admin/hubs/${day.hub}/days/${day.date}/vendors/*`, async (route) => {
    sent.push(route.request().postDataJSON());
    const response = await route.fetch();
    await isClicked;
    await route.fulfill({ response });
  });
  const button = here(page, "Dill Farm");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await expect.poll(() => sent).toEqual([{ hasArrived: true, expectedVersion: 0 }]);
  const corrected = page.waitForResponse(
    (response) => response.request().method() === "PUT" && response.request().postDataJSON().hasArrived === false,
  );
  answer();
  await corrected;
  await expect(button).not.toHaveAttribute("aria-busy");
  await expect(button).toHaveAttribute("aria-pressed", "false");
  expect(sent).toEqual([
    { hasArrived: true, expectedVersion: 0 },
    { hasArrived: false, expectedVersion: 1 },
  ]);
  await page.reload();
  await expect(button).toHaveAttribute("aria-pressed", "false");
});

test("vendors in: Undo takes back who was checked in at once, and not whom someone else has checked in meanwhile", async ({
  page,
  market,
  browser,
}) => {
  const day = await openDay(page, market);
  const context = await openBrowser(browser, market);
  const other = await context.newPage();
  await openAs(other, market, day, "manager");
  await page.route(`**/api/admin/hubs/${day.hub}/days/${day.date}/arrivals`, async (route) => {
    // While it is on its way.
    if (route.request().postDataJSON().hasArrived !== false) {
      await here(other, "Elm Farm").click();
      await expect(rowOf(other, "Elm Farm")).toContainText(/Here \d/);
      await expect(here(other, "Elm Farm")).not.toHaveAttribute("aria-busy");
    }
    await route.continue();
  });
  await page.getByRole("button", { name: "All 4 are here" }).click();
  await expect(page.getByText("3 vendors checked in.").first()).toBeVisible();
  await expect(vendors(page)).toContainText("4 of 4 here");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(vendors(page)).toContainText("1 of 4 here");
  await expect(here(page, "Elm Farm")).toHaveAttribute("aria-pressed", "true");
  await context.close();
});

test("vendors in: a check-in that fails after the person has left the page is named by a toast", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  let fail = (): void => {};
  const hasLeft = new Promise<void>((done) => (fail = done));
  await page.route(`**/api/admin/hubs/${day.hub}/days/${day.date}/vendors/*`, async (route) => {
    await hasLeft;
    await route.fulfill({ status: 500, json: ["The server failed.", {}] });
  });
  await here(page, "Dill Farm").click();
  await page
    .getByRole("navigation", { name: "Screens of this delivery day" })
    .getByRole("link", { name: "Boxes" })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Boxes" })).toBeVisible();
  fail();
  await expect(page.getByText(/^Dill Farm: Nothing was changed\./).first()).toBeVisible();
});

test("vendors in: before the cutoff they can confirm, and the keyboard goes from one to the next", async ({
  page,
  market,
}) => {
  await openDay(page, market, { isClosed: false });
  await expect(vendors(page)).toContainText("0 of 4 confirmed");
  await expect(page.getByRole("button", { name: /are here/ })).toHaveCount(0);
  const confirmed = (name: string) => page.getByRole("button", { name: `Confirmed: ${name}`, exact: true });
  await confirmed("Dill Farm").focus();
  await page.keyboard.press("Enter");
  await expect(confirmed("Dill Farm")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("j");
  await expect(confirmed("Elm Farm")).toBeFocused();
  await page.keyboard.press("Space");
  await expect(vendors(page)).toContainText("2 of 4 confirmed");
  await page.keyboard.press("ArrowUp");
  await expect(confirmed("Dill Farm")).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("Next vendor");
});

test("vendors in: a vendor's items lead to Shorts, and the tabs to every screen of the day, also on a phone", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  await page.getByRole("button", { name: CLUCK, exact: true }).click();
  const items = page.getByRole("list", { name: `What ${CLUCK} brings`, exact: true });
  await expect(items).toContainText("Pasture Eggs");
  await expect(page.getByRole("main").locator("img")).toHaveCount(0);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await expectLayout(page, [{ width: 390, height: 844, text: 100 }]);
  const tabs = page.getByRole("navigation", { name: "Screens of this delivery day" });
  await expect(tabs.getByRole("link")).toHaveText(["Day", "Boxes", "Shorts", "Money at the door"]);
  await expect(tabs.getByRole("link", { name: "Day", exact: true })).toHaveAttribute("aria-current", "page");
  await items.getByRole("link", { name: "Fewer came: Pasture Eggs" }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/days/${day.hub}/${day.date}/shorts/\\d+$`));
});

test("vendors in: who reads orders and runs no days gets from the address of a day to its boxes", async ({
  page,
  market,
}) => {
  const day = await market.ask("deliveryDay", {
    orders: [{ name: "Anna", quantity: 1 }],
    vendor: "Cluck & Co.",
    product: "Pasture Eggs",
    isClosed: true,
  });
  const { id } = await market.ask("staff", { ...newStaff(), role: "support" });
  await beStaff(page, market, id);
  await page.goto(`/admin/days/${day.hub}/${day.date}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You can’t see this delivery day");
  await page.getByRole("link", { name: "Go to the boxes of this day" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Boxes");
  const tabs = page.getByRole("navigation", { name: "Screens of this delivery day" });
  await expect(tabs.getByRole("link")).toHaveText(["Boxes", "Shorts", "Money at the door"]);
});
