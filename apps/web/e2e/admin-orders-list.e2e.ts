import { readFile } from "node:fs/promises";

import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { wordOfItsOwn } from "./lib/shopper.ts";

const THREE: readonly { name: string; quantity: number; pays?: "door" }[] = [
  { name: "Anna", quantity: 1 },
  { name: "Ben", quantity: 2, pays: "door" },
  { name: "Cleo", quantity: 3 },
];

/** The orders of a separate market before an owner. */
async function openOrders(page: Page, market: TestMarket, orders = THREE) {
  // Other tests of this worker have vendors too, and a suggestion is chosen by its name.
  const [vendor, product] = [`Cluck ${wordOfItsOwn()}`, `Eggs ${wordOfItsOwn()}`];
  const day = await market.ask("deliveryDay", { orders, vendor, product, isClosed: true });
  const { id } = await market.ask("staff", { ...newStaff(), role: "owner" });
  await beStaff(page, market, id);
  const path = `/admin/orders?hub=${day.hub}`;
  await page.goto(path);
  await expect(rowsOf(page)).toHaveCount(Math.min(orders.length, 50));
  return { ...day, path, vendor, product };
}
const tableOf = (page: Page) => page.getByRole("table", { name: "Orders" });
/** Those of orders, without the head. */
const rowsOf = (page: Page) => tableOf(page).locator("tbody").getByRole("row");
const rowOf = (page: Page, name: string) => rowsOf(page).filter({ hasText: name });
const filterOf = (page: Page) => page.getByRole("combobox", { name: "Filter the orders" });
const selectionOf = (page: Page) => page.getByRole("group", { name: "Selected orders" });
const panelOf = (page: Page) => page.getByRole("region", { name: /^Order [\d\s]+$/ });

test("orders: a token, a name and a phone number find orders, and a token that is wrong is named and stays", async ({
  page,
  market,
}) => {
  const day = await openOrders(page, market);
  await page.keyboard.press("/");
  await expect(filterOf(page)).toBeFocused();
  await page.keyboard.type("owes:yes ");
  await expect(page.getByRole("button", { name: "Remove owes anything" })).toBeVisible();
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowOf(page, "Ben")).toContainText("Collect $13.00");
  await expect(page.getByText("1 of 3", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${day.path}&q=owes%3Ayes`);
  await page.keyboard.press("Backspace");
  await expect(rowsOf(page)).toHaveCount(3);
  await page.goBack();
  await expect(rowsOf(page)).toHaveCount(1);
  await page.goForward();
  await expect(rowsOf(page)).toHaveCount(3);

  await filterOf(page).fill(`vendor:${day.vendor.split(" ")[1]}`);
  await page.getByRole("option", { name: new RegExp(`^${day.vendor}.*$`) }).click();
  await expect(page.getByRole("button", { name: `Remove vendor ${day.vendor}`, exact: true })).toBeVisible();
  await filterOf(page).fill("cleo");
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowOf(page, "Cleo")).toBeVisible();
  await filterOf(page).fill("fruit:apple");
  await page.keyboard.press("Enter");
  await expect(filterOf(page)).toHaveAccessibleDescription(/There is no filter “fruit”/);
  await expect(filterOf(page)).toHaveValue("fruit:apple");

  const listed = await page.request.get(`${market.address}/api/admin/orders?hub=${day.hub}&q=anna`);
  const { orders } = (await listed.json()) as { orders: { customerId: number }[] };
  const digits = String(day.orders[0]).slice(-4);
  await market.ask("customerContact", { id: orders[0]!.customerId, phone: `317555${digits}`, last4: "4242" });
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await filterOf(page).fill(`(317) 555-${digits}`);
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowOf(page, "Anna")).toBeVisible();
  await filterOf(page).fill("zebra");
  await expect(page.getByText("No order matches “zebra”")).toBeVisible();
});

test("orders: a saved view survives a reload, says when it is changed, and a deleted one comes back by Undo", async ({
  page,
  market,
}) => {
  const day = await openOrders(page, market);
  await page.goto(`${day.path}&q=has%3Afirst+ben`);
  await expect(rowsOf(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Ben’s first");
  await page.keyboard.press("Enter");
  const tab = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Ben’s first" });
  await expect(tab).toHaveAttribute("aria-current", "page");
  await page.reload();
  await expect(tab).toHaveAttribute("aria-current", "page");
  await expect(tab).not.toContainText("changed, not saved");
  await expect(rowsOf(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Remove has a first order" }).click();
  await expect(tab).toContainText("changed, not saved");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Save changes to “Ben’s first”" }).click();
  await expect(tab).not.toContainText("changed, not saved");
  await page.getByRole("link", { name: "Owes or collects" }).click();
  await expect(page).toHaveURL(/view=due&q=owes%3Ayes/);
  await tab.click();
  await expect(filterOf(page)).toHaveValue("ben");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Delete “Ben’s first”" }).click();
  // The toast stays under the pointer.
  await page.getByRole("button", { name: "Undo" }).hover();
  await expect(tab).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(tab).toBeVisible();
});

test("orders: rows stay chosen on another page with their sums, and Ctrl A chooses all that match", async ({
  page,
  market,
}) => {
  const many = Array.from({ length: 52 }, (_, at) => ({ name: `Shopper ${at + 1}`, quantity: 1 }));
  await openOrders(page, market, many);
  await rowsOf(page).first().focus();
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await expect(selectionOf(page)).toContainText("3 selected");
  await expect(selectionOf(page)).toContainText("$19.50");
  await page.keyboard.press("End");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/page=2/);
  await expect(rowsOf(page)).toHaveCount(2);
  await expect(rowsOf(page).first()).toBeFocused();
  await page.keyboard.press("x");
  await expect(selectionOf(page)).toContainText("4 selected");
  await expect(selectionOf(page)).toContainText("$26.00");
  await page.keyboard.press("Control+a");
  await expect(selectionOf(page)).toContainText("52 selected");
  await expect(selectionOf(page)).toContainText("$338.00");
  await page.keyboard.press("x");
  await expect(selectionOf(page)).toContainText("51 selected");
  await expect(selectionOf(page)).toContainText("$331.50");
  await page.keyboard.press("Escape");
  await expect(selectionOf(page)).toHaveCount(0);
});

test("orders: rows of the filter before are not selected for the new one, and a Ctrl A of the filter before selects nothing in it", async ({
  page,
  market,
}) => {
  await openOrders(page, market);
  const lists = Promise.withResolvers<void>();
  await page.route(/\/api\/admin\/orders\?.*owes/, async (route) => {
    await lists.promise;
    await route.continue();
  });
  const ids = Promise.withResolvers<void>();
  const requested = page.waitForRequest(/\/api\/admin\/orders\/ids/);
  await page.route(/\/api\/admin\/orders\/ids/, async (route) => {
    await ids.promise;
    await route.continue();
  });
  await page.keyboard.press("Control+a");
  await requested;
  await page.getByRole("link", { name: "Owes or collects" }).click();
  await expect(page).toHaveURL(/owes%3Ayes/);
  await rowOf(page, "Anna").getByRole("checkbox").click();
  await expect(selectionOf(page)).toHaveCount(0);
  lists.resolve();
  await expect(rowsOf(page)).toHaveCount(1);
  await rowOf(page, "Ben").getByRole("checkbox").check();
  await expect(selectionOf(page)).toContainText("1 selected");
  const answered = page.waitForResponse(/\/api\/admin\/orders\/ids/);
  ids.resolve();
  await (await answered).finished();
  await expect(selectionOf(page)).toContainText("1 selected");
});

test("orders: the panel of an order keeps the list, J goes on to the next page, and Esc returns to the row", async ({
  page,
  market,
}) => {
  const many = Array.from({ length: 51 }, (_, at) => ({ name: `Shopper ${at + 1}`, quantity: 1 }));
  const day = await openOrders(page, market, many);
  const last = rowsOf(page).nth(49);
  await last.scrollIntoViewIfNeeded();
  await last.click();
  await expect(panelOf(page)).toContainText("50 of 51");
  await expect(page).toHaveURL(new RegExp(String.raw`/admin/orders/\d+\?hub=${day.hub}$`));
  await expect(last).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("j");
  await expect(panelOf(page)).toContainText("51 of 51");
  await expect(panelOf(page).getByText("Total now")).toBeVisible();
  await expect(rowsOf(page)).toHaveCount(1);
  await page.keyboard.press("k");
  await expect(panelOf(page)).toContainText("50 of 51");
  await expect(last).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("Escape");
  await expect(panelOf(page)).toHaveCount(0);
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
});

test("orders: the export is exactly what is filtered", async ({ page, market }) => {
  await openOrders(page, market);
  await filterOf(page).fill("owes:yes");
  await page.keyboard.press("Enter");
  await expect(rowsOf(page)).toHaveCount(1);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export 1" }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trim().split(/\r?\n/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("Ben");
  expect(file.suggestedFilename()).toMatch(/^orders-[\d-]+\.csv$/);
});

test("orders: on a phone and on a desk the list, its selection and its forms have no accessibility violation, in both themes", async ({
  page,
  market,
}) => {
  const day = await openOrders(page, market);
  await rowOf(page, "Anna").getByRole("checkbox").check();
  await page.keyboard.press("/");
  await page.keyboard.type("ven");
  await expect(page.getByRole("option", { name: /^vendor:/ })).toBeVisible();
  // The list is that of the filter: while it changes, the bar of the selection leaves the head of the table.
  await expect(page.getByText("No order matches “ven”")).toBeVisible();
  await expect(selectionOf(page)).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`${day.path}&recall`);
  await expect(page.getByRole("dialog", { name: "Recall" })).toBeVisible();
  await page.getByRole("combobox", { name: "Product or vendor" }).fill(day.product);
  await page.getByRole("option", { name: new RegExp(`^${day.product}.*$`) }).click();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 780 });
  await rowOf(page, "Cleo").getByRole("checkbox").check();
  await expect(selectionOf(page)).toContainText("1 selected");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await page.setViewportSize({ width: 1280, height: 860 });
  await expectContrast(page);
});
