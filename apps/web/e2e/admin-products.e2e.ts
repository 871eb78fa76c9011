import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { nameOfItsOwn } from "./lib/shopper.ts";

/** The grid of products: typed into, filled down, pasted, saved at once, and taken back. */

/** A market with three products of one vendor and one of another, on its grid. */
async function openGrid(
  page: Page,
  market: TestMarket,
  { width = 1440, rights = "manager" }: { width?: number; rights?: "manager" | "auditor" } = {},
) {
  const farms = [nameOfItsOwn("Acre Farm"), nameOfItsOwn("Birch Orchard")] as const;
  const made = await market.ask("catalogue", {
    vendors: [
      { name: farms[0], products: ["Anise", "Beets", "Chard"] },
      { name: farms[1], products: ["Damson"] },
    ],
  });
  const person = newStaff();
  const { id } = await market.ask("staff", { ...person, role: rights, hubId: null });
  await beStaff(page, market, id);
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`/admin/products?hub=${made.hub}`);
  await expect(rowOf(page, "Damson")).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeAttached();
  const stored = (place: number) => market.ask("offer", { id: made.offers[place]! });
  return { ...made, farms, person, id, stored };
}
const rowOf = (page: Page, product: string) =>
  page.getByRole("row", { name: new RegExp(`^Select ${product},|${product} Each`) });
const COLUMNS = ["price", "sale", "stock", "refill", "sold", "watching", "offered", "storage", "tags"] as const;
/** A cell by its product and column. */
const cellOf = (page: Page, product: string, column: (typeof COLUMNS)[number]) =>
  rowOf(page, product)
    .getByRole("gridcell")
    .nth(COLUMNS.indexOf(column) + 1);
const bar = (page: Page) => page.getByRole("group", { name: "Changes" });
const saveButton = (page: Page) => bar(page).getByRole("button", { name: /^(Save|Saving|Fix|Resolve)/ });

/** Pastes a text as a spreadsheet's clipboard has it. */
const paste = (page: Page, text: string) =>
  page.evaluate((plain) => {
    const data = new DataTransfer();
    data.setData("text/plain", plain);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);

test("products: prices are typed by keyboard, survive a reload, are saved at once, and Undo puts them back", async ({
  page,
  market,
}) => {
  const { stored } = await openGrid(page, market);
  await cellOf(page, "Anise", "price").click();
  await page.keyboard.type("7.5");
  await page.keyboard.press("Enter");
  await expect(cellOf(page, "Anise", "price")).toContainText("7.50");
  await expect(cellOf(page, "Beets", "price")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("F2");
  await page.keyboard.type("6");
  await page.keyboard.press("Tab");
  await expect(cellOf(page, "Beets", "stock")).toBeFocused();
  await expect(bar(page)).toContainText("2 changes");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await page.reload();
  await expect(cellOf(page, "Beets", "sale")).toContainText("6.00");
  await expect(bar(page)).toContainText("in 2 rows");
  expect(await stored(0)).toMatchObject({ price: 700 });
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("group", { name: "Saved 2 cells of 2 offers" })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  expect([await stored(0), await stored(1)]).toMatchObject([{ price: 750 }, { price: 700, sale: 600 }]);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(cellOf(page, "Anise", "price")).toContainText("7.00");
  expect([await stored(0), await stored(1)]).toMatchObject([{ price: 700 }, { price: 700, sale: null }]);
});

test("products: a wrong cell says what to write, and nothing is saved until it is right; Ctrl Z takes a step back", async ({
  page,
  market,
}) => {
  const { stored } = await openGrid(page, market);
  await cellOf(page, "Anise", "sale").click();
  await page.keyboard.type("1050");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await expect(cellOf(page, "Anise", "sale")).toHaveAttribute("aria-invalid", "true");
  await expect(cellOf(page, "Anise", "sale")).toContainText("A sale price must be below $7.00.");
  await expect(saveButton(page)).toContainText("Fix 1 cell to save");
  await expectAccessible(page);
  await page.keyboard.press("Control+s");
  await page.keyboard.press("Control+z");
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await saveButton(page).click();
  await expect(bar(page)).toHaveCount(0);
  expect(await stored(0)).toMatchObject({ sale: 500 });
});

test("products: a switch that is pressed while a cell is typed changes its row, and what was typed is kept", async ({
  page,
  market,
}) => {
  const { stored } = await openGrid(page, market);
  await cellOf(page, "Anise", "price").click();
  await page.keyboard.type("7.5");
  await cellOf(page, "Chard", "offered").getByRole("switch").click();
  await expect(bar(page)).toContainText("2 changes");
  await expect(cellOf(page, "Anise", "price")).toContainText("7.50");
  await page.keyboard.press("Shift+Space");
  await expect(page.getByRole("checkbox", { name: /^Select Chard/ })).toBeChecked();
  await cellOf(page, "Beets", "stock").click();
  await page.keyboard.type("41");
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("group", { name: "Saved 3 cells of 3 offers" })).toBeVisible();
  expect([await stored(0), await stored(1), await stored(2)]).toMatchObject([
    { price: 750, offered: true },
    { stock: 41, offered: true },
    { price: 700, offered: false },
  ]);
});

test("products: what is typed is kept when the filter is pressed, when its row scrolls away, and when it leaves the list", async ({
  page,
  market,
}) => {
  const farm = nameOfItsOwn("Long Farm");
  const many = Array.from({ length: 80 }, (_, place) => `Plum ${String(place + 10)}`);
  const made = await market.ask("catalogue", { vendors: [{ name: farm, products: many }] });
  const { id } = await market.ask("staff", { ...newStaff(), role: "manager", hubId: null });
  await beStaff(page, market, id);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/admin/products?hub=${made.hub}`);
  await cellOf(page, "Plum 10", "price").click();
  await page.keyboard.type("8");
  const filter = page.getByRole("combobox", { name: "Filter the products" });
  await filter.click();
  await page.keyboard.type("plum");
  await expect(filter).toHaveValue("plum");
  await expect(cellOf(page, "Plum 10", "price")).toContainText("8.00");
  await cellOf(page, "Plum 11", "price").dblclick();
  await page.keyboard.type("12.5");
  await page.getByRole("grid").hover();
  await page.mouse.wheel(0, 1800);
  await expect(rowOf(page, "Plum 70")).toBeInViewport();
  await page.keyboard.press("0");
  await page.keyboard.press("Enter");
  await expect(cellOf(page, "Plum 11", "price")).toContainText("12.50");
  await filter.fill("plum 70");
  await expect(rowOf(page, "Plum 12")).toHaveCount(0);
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await cellOf(page, "Plum 12", "refill").click();
  await page.keyboard.type("44");
  await page.goBack();
  await expect(rowOf(page, "Plum 12")).toHaveCount(0);
  await expect(bar(page)).toContainText("3 changes");
});

test("products: a drag selects from where it begins, and what is filled, cut and pasted is that rectangle", async ({
  page,
  market,
}) => {
  await openGrid(page, market);
  await cellOf(page, "Anise", "refill").click();
  await page.keyboard.type("40");
  await page.keyboard.press("Enter");
  await page.keyboard.type("50");
  await page.keyboard.press("Enter");
  await cellOf(page, "Beets", "refill").hover();
  await page.mouse.down();
  await cellOf(page, "Chard", "refill").hover();
  await page.mouse.up();
  await page.keyboard.press("Control+d");
  await expect(cellOf(page, "Chard", "refill")).toContainText("50");
  await expect(cellOf(page, "Anise", "refill")).toContainText("40");
  await page.keyboard.press("Control+z");
  await expect(cellOf(page, "Chard", "refill")).not.toContainText("50");
  await expect(bar(page)).toContainText("2 changes");
});

test("products: the changed rows alone can be shown, and all rows are again once they are saved", async ({
  page,
  market,
}) => {
  await openGrid(page, market);
  await cellOf(page, "Beets", "price").click();
  await page.keyboard.type("8");
  await page.keyboard.press("Enter");
  await bar(page).getByRole("button", { name: "Show only these" }).click();
  await expect(rowOf(page, "Anise")).toHaveCount(0);
  await expect(cellOf(page, "Beets", "price")).toContainText("8.00");
  await page.keyboard.press("Control+s");
  await expect(bar(page)).toHaveCount(0);
  await expect(rowOf(page, "Anise")).toBeVisible();
  await expect(page.locator(":focus")).toHaveRole("gridcell");
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true });
  test("products: a cell is chosen by a tap and typed into by the next one", async ({ page, market }) => {
    const { stored } = await openGrid(page, market, { width: 390 });
    const price = cellOf(page, "Beets", "price");
    await price.tap();
    await price.tap();
    await page.getByRole("textbox", { name: "Price $" }).fill("9.25");
    await page.keyboard.press("Enter");
    await expect(price).toContainText("9.25");
    await saveButton(page).tap();
    await expect(bar(page)).toHaveCount(0);
    expect(await stored(1)).toMatchObject({ price: 925 });
  });
});

test("products: a block from a spreadsheet is pasted from its corner, and says what was left out; a row is filled down", async ({
  page,
  market,
}) => {
  const { stored } = await openGrid(page, market);
  await cellOf(page, "Chard", "price").click();
  await paste(page, "8\t6\n9\t\n10\t7\r\n");
  await expect(cellOf(page, "Damson", "price")).toContainText("9.00");
  await expect(
    page.getByRole("paragraph").filter({ hasText: "Pasted 3 cells. 2 were beyond the grid and left out." }),
  ).toBeVisible();
  await cellOf(page, "Anise", "refill").click();
  await page.keyboard.type("40");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+d");
  await expect(cellOf(page, "Chard", "refill")).toContainText("40");
  await expect(bar(page)).toContainText("6 changes");
  await saveButton(page).click();
  await expect(bar(page)).toHaveCount(0);
  expect([await stored(0), await stored(2), await stored(3)]).toMatchObject([
    { price: 700, refill: 40 },
    { price: 800, sale: 600, refill: 40 },
    { price: 900, refill: null },
  ]);
});

test(
  "products: what someone else changed meanwhile is shown at the cell with both values, and each can be kept",
  { tag: ["@fail:N1"] },
  async ({ page, market, context }) => {
    const { hub, stored } = await openGrid(page, market);
    const other = await context.newPage();
    await other.setViewportSize({ width: 1440, height: 900 });
    await other.goto(`/admin/products?hub=${hub}`);
    await cellOf(page, "Anise", "price").click();
    await page.keyboard.type("8.50");
    await page.keyboard.press("Enter");
    await cellOf(page, "Beets", "price").click();
    await page.keyboard.type("9.50");
    await page.keyboard.press("Enter");
    for (const product of ["Anise", "Beets"]) {
      await cellOf(other, product, "price").click();
      await other.keyboard.type("8.75");
      await other.keyboard.press("Enter");
    }
    await saveButton(other).click();
    await expect(bar(other)).toHaveCount(0);
    await expect(bar(page)).toContainText("2 changed by someone else");
    await cellOf(page, "Anise", "price").click();
    await expect(cellOf(page, "Anise", "price")).toContainText("$8.75");
    await expectAccessible(page);
    // By keyboard: the message's buttons follow their cell.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Keep mine, $8.50" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(cellOf(page, "Anise", "price")).toBeFocused();
    await cellOf(page, "Beets", "price").click();
    await page.getByRole("button", { name: "Use theirs, $8.75" }).click();
    await expect(bar(page)).toContainText("1 change");
    await saveButton(page).click();
    await expect(bar(page)).toHaveCount(0);
    expect([await stored(0), await stored(1)]).toMatchObject([{ price: 850 }, { price: 875 }]);
  },
);

test("products: a bulk change shows what it would change, fills the grid, and amounts that change very much are confirmed first", async ({
  page,
  market,
}) => {
  const { stored } = await openGrid(page, market);
  await page.getByRole("checkbox", { name: /^Select Anise/ }).check();
  await page.getByRole("checkbox", { name: /^Select Beets/ }).check();
  await page.getByRole("button", { name: "Bulk change…" }).click();
  const dialog = page.getByRole("dialog", { name: "Change 2 offers" });
  await dialog.getByLabel("Percent").fill("10");
  await expect(dialog.getByText("2 cells will change.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Change 2 cells" }).click();
  await expect(cellOf(page, "Beets", "price")).toContainText("7.70");
  expect(await stored(1)).toMatchObject({ price: 700 });
  await cellOf(page, "Anise", "price").click();
  await page.keyboard.type("70");
  await page.keyboard.press("Enter");
  await saveButton(page).click();
  const confirming = page.getByRole("dialog", { name: "Are these amounts right?" });
  await expect(confirming).toContainText("$7.00 → $70.00");
  await expectAccessible(page);
  await confirming.getByRole("button", { name: "They are right, save" }).click();
  await expect(confirming).toHaveCount(0);
  await expect(bar(page)).toHaveCount(0);
  expect([await stored(0), await stored(1)]).toMatchObject([{ price: 7000 }, { price: 770 }]);
});

test("products: a filter by words and tokens narrows the grid, and changes of hidden rows are kept and counted", async ({
  page,
  market,
}) => {
  await openGrid(page, market);
  await cellOf(page, "Anise", "price").click();
  await page.keyboard.type("8");
  await page.keyboard.press("Enter");
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Filter the products" });
  await field.fill("damson");
  await expect(rowOf(page, "Anise")).toHaveCount(0);
  await expect(rowOf(page, "Damson")).toBeVisible();
  await expect(bar(page)).toContainText("1 not shown by the filter");
  await field.fill("nothing like it");
  await expect(page.getByText("Nothing is “nothing like it”")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Clear the filter" }).click();
  await expect(cellOf(page, "Anise", "price")).toContainText("8.00");
  await bar(page).getByRole("button", { name: "Discard" }).click();
  await expect(cellOf(page, "Anise", "price")).toContainText("7.00");
});

test("products: a filter with its columns is saved as a view, which is opened by its tab, changed, and deleted with an Undo", async ({
  page,
  market,
}) => {
  await openGrid(page, market);
  const views = page.getByRole("navigation", { name: "Views" });
  await page.getByRole("combobox", { name: "Filter the products" }).fill("damson");
  await expect(rowOf(page, "Anise")).toHaveCount(0);
  await page.getByRole("button", { name: "Columns" }).click();
  const columns = page.getByRole("dialog", { name: "Columns" });
  await columns.getByRole("checkbox", { name: "Watching" }).uncheck();
  await columns.getByRole("button", { name: "Done" }).click();
  await views.getByRole("button", { name: "Save view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this view" });
  await dialog.getByLabel("Name").fill("Plums");
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(views.getByRole("link", { name: /^Plums/ })).toHaveAttribute("aria-current", "page");
  await views.getByRole("link", { name: "All offers" }).click();
  await expect(rowOf(page, "Anise")).toBeVisible();
  await views.getByRole("link", { name: /^Plums/ }).click();
  await expect(rowOf(page, "Anise")).toHaveCount(0);
  await expect(page.getByRole("columnheader", { name: "Watching" })).toHaveCount(0);
  await page.reload();
  await expect(rowOf(page, "Damson")).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Watching" })).toHaveCount(0);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Delete “Plums”" }).click();
  await expect(views.getByRole("link", { name: /^Plums/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(views.getByRole("link", { name: /^Plums/ })).toBeVisible();
});

test("products: who only reads them changes nothing, and a phone shows the grid within the screen", async ({
  page,
  market,
}) => {
  await openGrid(page, market, { rights: "auditor", width: 390 });
  await cellOf(page, "Anise", "price").click();
  await page.keyboard.type("9");
  await expect(cellOf(page, "Anise", "price")).toContainText("7.00");
  await expect(cellOf(page, "Anise", "price")).toHaveAttribute("aria-readonly", "true");
  await expect(bar(page)).toHaveCount(0);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
