import { calendarDate, dayOfMonth } from "@marketday/domain/calendar-date";
import type { Role } from "@marketday/domain/staff";

import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { nameOfItsOwn } from "./lib/shopper.ts";

interface DayOptions {
  isClosed?: boolean;
  hubName?: string;
}

/** A market with a delivery day of three boxes. Its name is unique. */
const newDay = (market: TestMarket, { isClosed = true, hubName = nameOfItsOwn("Market") }: DayOptions = {}) =>
  market.ask("deliveryDay", {
    orders: [
      { name: "Anna", quantity: 2 },
      { name: "Ben", quantity: 1 },
      { name: "Priya", quantity: 4 },
    ],
    vendor: nameOfItsOwn("Farm"),
    product: nameOfItsOwn("Eggs"),
    hubName,
    isClosed,
  });

/** The page's browser is that of a new person with a role in one market, or in all of them. */
async function enter(page: Page, market: TestMarket, role: Role, hubId: number | null): Promise<void> {
  const { id } = await market.ask("staff", { ...newStaff(), role, hubId });
  await beStaff(page, market, id);
}

/** The address of a day, with or without the filter by market. */
const pathOf = ({ hub, date }: { hub: string; date: string }) => new RegExp(`/admin/days/${hub}/${date}(?:\\?|$)`);
const board = (page: Page) => page.getByRole("region", { name: "Delivery days" });
const card = (page: Page) => page.getByRole("region", { name: "Most urgent" });
const rowOf = (page: Page, hub: string) =>
  board(page)
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: hub, exact: true }) })
    .filter({ hasText: /· [23] (?:boxes|open orders)/ });

test("today: a closed day without sheets is most urgent; Enter makes them and opens the day, whose row then has version 1", async ({
  page,
  market,
}) => {
  const day = await newDay(market);
  await enter(page, market, "owner", null);
  await page.goto(`/admin?hub=${day.hub}`);
  await expect(card(page).getByRole("heading")).toContainText(`${day.name} has no sheets for`);
  // Sheets are due at 6 AM, and late from then on.
  await expect(card(page)).toContainText(/3 boxes are waiting\. (?:Due in|Overdue by) /);
  const row = rowOf(page, day.name);
  const sheets = row.getByRole("listitem").filter({ hasText: "Sheets" });
  await expect(sheets).toContainText(/Sheets, (?:due|late): due/);
  await expect(row.getByRole("listitem").filter({ hasText: "Cutoff" })).toContainText("Cutoff, done:");

  await page.evaluate(() =>
    document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, repeat: true }),
    ),
  );
  await expect(card(page).getByRole("button")).not.toHaveAttribute("aria-busy");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(pathOf(day));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(day.name);

  await page.goto(`/admin?hub=${day.hub}`);
  await expect(sheets).toContainText("Sheets, done: v1");
  await expect(page.getByRole("heading", { name: "Nothing to do right now" })).toBeVisible();
});

test("today: when orders change after the sheets were made, the open board shows it and leads to the day to renew them", async ({
  page,
  market,
}) => {
  const day = await newDay(market);
  await enter(page, market, "hub_lead", day.hubId);
  await page.goto("/admin");
  await page.getByRole("button", { name: "Create sheets" }).click();
  await expect(page).toHaveURL(pathOf(day));
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "Nothing to do right now" })).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await market.ask("cancelFrozen", { id: day.orders[0]! });
  await expect(
    card(page).getByRole("heading", { name: `${day.name}’s sheets are out of date`, exact: true }),
  ).toBeVisible();
  await rowOf(page, day.name)
    .getByRole("link", { name: /^Sheets for / })
    .click();
  await expect(page).toHaveURL(pathOf(day));
});

test("today: a hub lead sees the days of their own market only, also when the address names another one", async ({
  page,
  market,
}) => {
  const own = await newDay(market, { isClosed: false });
  const other = await newDay(market);
  await enter(page, market, "hub_lead", own.hubId);
  await page.goto(`/admin?hub=${other.hub}`);
  const row = rowOf(page, own.name);
  await expect(row).toBeVisible();
  await expect(row).toContainText("3 open orders");
  await expect(row).toContainText("Nothing to do");
  const markets = await board(page).getByRole("heading", { level: 3 }).allTextContents();
  expect(new Set(markets)).toEqual(new Set([own.name]));
  await expect(page.getByText(other.name)).toHaveCount(0);
});

test("today: a number goes to the row of that place, and Enter opens its day; someone who may only read is led to its boxes and has no button", async ({
  page,
  market,
}) => {
  const day = await newDay(market);
  await enter(page, market, "owner", null);
  await page.goto(`/admin?hub=${day.hub}`);
  const link = rowOf(page, day.name).getByRole("link", { name: day.name, exact: true });
  await expect(link).toBeVisible();
  await page.keyboard.press("1");
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(pathOf(day));

  await enter(page, market, "auditor", day.hubId);
  await page.goto("/admin");
  await expect(rowOf(page, day.name)).toContainText("Nothing to do");
  await expect(rowOf(page, day.name).getByRole("link")).toHaveAttribute(
    "href",
    `/admin/days/${day.hub}/${day.date}/boxes`,
  );
  await expect(page.getByRole("button", { name: "Create sheets" })).toHaveCount(0);
});

test("today: a count without a screen shows the command that lists it", async ({ page, market }) => {
  const day = await newDay(market);
  await enter(page, market, "owner", null);
  await page.goto(`/admin?hub=${day.hub}`);
  const count = page.getByRole("list", { name: "Money" }).getByRole("button", { name: /^Refunds on hold/ });
  await count.click();
  await expect(count).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByText("./market refunds list")).toBeVisible();
});

test("today: the problems reported lead to the inbox", async ({ page, market }) => {
  const day = await newDay(market);
  await enter(page, market, "owner", null);
  await page.goto(`/admin?hub=${day.hub}`);
  await page
    .getByRole("list", { name: "Needs attention" })
    .getByRole("link", { name: /^Problems reported/ })
    .click();
  await expect(page).toHaveURL(`/admin/inbox?hub=${day.hub}`);
  await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
});

test("today: a market whose name is markup shows it as text", async ({ page, market }) => {
  const hubName = '<img src=x onerror="document.title=1">';
  const day = await newDay(market, { hubName });
  await enter(page, market, "owner", null);
  await page.goto(`/admin?hub=${day.hub}`);
  await expect(card(page).getByRole("heading")).toContainText(`${hubName} has no sheets for`);
  await expect(rowOf(page, hubName)).toBeVisible();
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
});

test("today: it is accessible in both themes; on a phone a row is its leaf, ten marks and one line, and nothing is cut", async ({
  page,
  market,
}) => {
  const day = await newDay(market);
  await enter(page, market, "owner", null);
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`/admin?hub=${day.hub}`);
  const row = rowOf(page, day.name);
  await expect(row.getByRole("listitem")).toHaveCount(10);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await expectContrast(page);
  await page.emulateMedia({ colorScheme: "light" });
  await expectAccessible(page);
  await expect(row.getByText(String(dayOfMonth(calendarDate(day.date))), { exact: true })).toBeVisible();
  await expect(
    row.getByRole("paragraph").filter({ hasText: /^Sheets, (?:due|late) .* · Create sheets$/ }),
  ).toBeVisible();
  const button = card(page).getByRole("button", { name: "Create sheets" });
  expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
});

test("today: offline it stays, and says from when it is; back online it follows the server again", async ({
  page,
  market,
}) => {
  const day = await newDay(market);
  await enter(page, market, "owner", null);
  await page.goto(`/admin?hub=${day.hub}`);
  await expect(rowOf(page, day.name)).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^(?:As of .* )?You’re offline\.$/)).toBeVisible();
  await expect(rowOf(page, day.name)).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(/You’re offline/)).toHaveCount(0);
});
