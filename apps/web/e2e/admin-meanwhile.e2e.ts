import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { nameOfItsOwn } from "./lib/shopper.ts";

/** What changes while a page is open: the person, the day that is shown, the list that one chooses from. */

/** A market with a delivery day, whose orders are closed. Its name is unique. */
const newDay = (market: TestMarket) =>
  market.ask("deliveryDay", {
    orders: [{ name: "Anna", quantity: 2 }],
    vendor: nameOfItsOwn("Farm"),
    product: nameOfItsOwn("Eggs"),
    hubName: nameOfItsOwn("Market"),
    isClosed: true,
  });

/** The page's browser is that of a new owner. */
async function beOwner(page: Page, market: TestMarket) {
  const person = newStaff();
  const { id } = await market.ask("staff", { ...person, role: "owner" });
  await beStaff(page, market, id);
  return person;
}

const title = (page: Page) => page.getByRole("heading", { level: 1 });

/** Holds the answers of a call until `release`. */
async function hold(page: Page, method: string, path: RegExp) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      if (route.request().method() === method) await promise;
      await route.continue();
    },
  );
  return resolve;
}

test(
  "one person signs out in another tab and the next signs in there: this tab shows the next one, and nothing that was typed",
  { tag: ["@fail:M7"] },
  async ({ page, context, market }) => {
    const ada = newStaff();
    const eve = newStaff("Eve Marsh");
    const { id } = await market.ask("staff", { ...ada, role: "owner" });
    const { id: eveId } = await market.ask("staff", { ...eve, role: "owner" });
    await beStaff(page, market, id);
    await page.goto("/admin/staff?invite=1");
    const form = page.getByRole("dialog", { name: "Invite someone" });
    await form.getByLabel("Name").fill("Half-typed by Ada");

    const other = await context.newPage();
    await other.goto("/admin");
    await other.getByRole("button", { name: /your account$/ }).click();
    await other.getByRole("button", { name: "Sign out" }).click();
    await expect(other.getByRole("heading", { level: 1, name: "Sign in", exact: true })).toBeVisible();
    await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
    await expect(form.getByLabel("Name")).toHaveValue("Half-typed by Ada");
    await beStaff(other, market, eveId);

    await page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await expect(page.getByRole("dialog", { name: "Sign in" })).toHaveCount(0);
    await expect(form.getByLabel("Name")).toHaveValue("");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: /your account$/ })).toContainText(eve.name);
    await page.getByRole("button", { name: "Invite someone" }).click();
    await expect(form.getByLabel("Name")).toHaveValue("");
  },
);

const palette = (page: Page) => page.getByRole("dialog", { name: "Go to, or do" });
/** Goes to a screen by the palette: nothing is loaded again. */
async function goTo(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").fill(words);
  await expect(palette(page).getByRole("option").first()).toContainText(words);
  await page.keyboard.press("Enter");
  await expect(palette(page)).toHaveCount(0);
}

test("delivery day: from one to the next, nothing typed goes along, and sheets that are ready later are those of their day", async ({
  page,
  market,
}) => {
  const one = await newDay(market);
  const next = await newDay(market);
  await beOwner(page, market);
  await page.goto("/admin");
  await expect(page.getByRole("main").getByRole("link", { name: next.name, exact: true }).first()).toBeVisible();
  await goTo(page, next.name);
  await expect(title(page)).toContainText(next.name);
  await goTo(page, one.name);
  await expect(title(page)).toContainText(one.name);
  const drivers = page.getByLabel("Drivers");
  const create = page.getByRole("button", { name: "Create sheets" });
  await drivers.fill("7");
  const release = await hold(page, "POST", /\/sheets$/);
  await create.click();
  await goTo(page, next.name);
  await expect(title(page)).toContainText(next.name);
  await expect(drivers).toHaveValue("1");
  const rereading = page.waitForResponse(/\/api\/admin\/today/);
  release();
  await rereading;
  await expect(title(page)).toContainText(next.name);
  await expect(create).toBeVisible();
  await goTo(page, one.name);
  await expect(page.getByRole("region", { name: "Version 1 is ready to print" })).toBeVisible();
});

test("today: sheets that are ready after the person went elsewhere do not take them to the day", async ({
  page,
  market,
}) => {
  const day = await newDay(market);
  await beOwner(page, market);
  await page.goto(`/admin?hub=${day.hub}`);
  const ready = Promise.withResolvers<void>();
  // Answered here, so that no event of the server has Today read again: only the answer does.
  await page.route(/\/sheets$/, async (route) => {
    await ready.promise;
    await route.fulfill({ json: {} });
  });
  await page.getByRole("button", { name: "Create sheets" }).click();
  await goTo(page, "Staff");
  await expect(title(page)).toHaveText("Staff");
  const rereading = page.waitForResponse(/\/api\/admin\/today/);
  ready.resolve();
  await rereading;
  await expect(page).toHaveURL(`/admin/staff?hub=${day.hub}`);
});

test("palette: what is chosen stays when the delivery days arrive", async ({ page, market }) => {
  const day = await newDay(market);
  await beOwner(page, market);
  const release = await hold(page, "GET", /\/api\/admin\/today$/);
  await page.goto("/admin/staff");
  await expect(title(page)).toHaveText("Staff");
  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").fill(day.name);
  const options = palette(page).getByRole("option");
  await expect(options).toHaveCount(1);
  release();
  await expect(options.nth(1)).toBeVisible();
  await expect(palette(page).getByRole("option", { selected: true })).toContainText(`Show only ${day.name}`);
});

test("staff: a screen that one may not see stays closed after one that one may see; the filter by market stays", async ({
  page,
  market,
}) => {
  const day = await newDay(market);
  const person = newStaff();
  const { id } = await market.ask("staff", { ...person, role: "support" });
  await beStaff(page, market, id);
  await page.goto("/admin/staff");
  await expect(title(page)).toHaveText("Nothing here for your role yet");
  await page.getByRole("main").getByRole("link", { name: "Go to Today" }).click();
  await expect(title(page)).toHaveText("Today");
  await page.goBack();
  await expect(title(page)).toHaveText("Nothing here for your role yet");

  await beOwner(page, market);
  await page.goto(`/admin/staff?hub=${day.hub}`);
  await page.getByRole("row").filter({ hasText: person.email }).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/admin/staff\\?person=\\d+&hub=${day.hub}$`));
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`/admin/staff?hub=${day.hub}`);
});
