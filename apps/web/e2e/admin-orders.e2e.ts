import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";

const MARKUP = '<img src=x onerror="alert(1)">';

/** A closed day of four boxes, of which the second is due at the door, and the last too with `isSecondDue`; its boxes are open before a person who leads the market. */
async function openBoxes(
  page: Page,
  market: TestMarket,
  { order, isSecondDue = false }: { order?: number; isSecondDue?: boolean } = {},
) {
  const day = await market.ask("deliveryDay", {
    orders: [
      { name: "Anna", quantity: 1 },
      { name: "Ben", quantity: 2, pays: "door" },
      { name: `Cleo ${MARKUP}`, quantity: 3, notes: `Ring twice ${MARKUP}` },
      { name: "Dora", quantity: 4, ...(isSecondDue && { pays: "door" as const }) },
    ],
    vendor: `Cluck & Co. ${MARKUP}`,
    product: "Pasture Eggs",
    isClosed: true,
  });
  const { id: staffId } = await market.ask("staff", { ...newStaff(), role: "owner" });
  await beStaff(page, market, staffId);
  const path = `/admin/days/${day.hub}/${day.date}/boxes`;
  await page.goto(order === undefined ? path : `${path}/${day.orders[order]}`);
  await expect(rowOf(page, "Anna")).toBeVisible();
  return { ...day, path };
}
const rowOf = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });
/** The panel of the only order that is open. */
const panelOf = (page: Page) => page.getByRole("region", { name: /^Order [\d\s]+$/ });
const titleOf = (page: Page, name: string) => panelOf(page).getByRole("heading", { name: new RegExp(`^${name} .+$`) });
/** Its key, once what can be done with the order is known. */
async function pressCancel(page: Page): Promise<void> {
  await expect(panelOf(page).getByRole("button", { name: "Cancel order" })).toBeVisible();
  await page.keyboard.press("c");
}
const effects = (page: Page) => panelOf(page).getByRole("list", { name: "Recent actions" });

test("boxes: an order opens by Enter and by click, J walks through the list, and Esc returns to the row", async ({
  page,
  market,
}) => {
  const day = await openBoxes(page, market);
  await rowOf(page, "Anna").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(titleOf(page, "Ben")).toBeFocused();
  await expect(page).toHaveURL(`${day.path}/${day.orders[1]}`);
  await expect(panelOf(page)).toContainText("2 of 4");
  await expect(panelOf(page).getByText("Total now")).toBeVisible();

  await page.keyboard.press("j");
  await expect(titleOf(page, "Cleo")).toBeFocused();
  await expect(rowOf(page, "Cleo")).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("ArrowDown");
  await expect(titleOf(page, "Dora")).toBeFocused();
  await page.keyboard.press("j");
  await expect(panelOf(page).getByRole("button", { name: "Next row" })).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("k");
  await expect(titleOf(page, "Cleo")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panelOf(page)).toHaveCount(0);
  await expect(rowOf(page, "Cleo")).toBeFocused();
  await expect(page).toHaveURL(day.path);

  await rowOf(page, "Anna").click();
  await expect(titleOf(page, "Anna")).toBeFocused();
  // From row to row in the list, the panel follows and the focus stays.
  await rowOf(page, "Anna").focus();
  await page.keyboard.press("ArrowDown");
  await expect(titleOf(page, "Ben")).toBeVisible();
  await expect(rowOf(page, "Ben")).toBeFocused();
  await panelOf(page).getByRole("button", { name: "Close the panel" }).click();
  await expect(rowOf(page, "Ben")).toBeFocused();
});

test("boxes: until the code of the panel has arrived, its frame is there and keeps the focus", async ({
  page,
  market,
}) => {
  const { path } = await openBoxes(page, market);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/order-panel-[^/]+\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  // Its `load` event may wait for the code.
  await page.goto(path, { waitUntil: "commit" });
  await rowOf(page, "Anna").click();
  await expect(titleOf(page, "Anna")).toBeFocused();
  await expect(panelOf(page).getByRole("button", { name: "Close the panel" })).toBeVisible();
  await expect(panelOf(page).getByText("Total now")).toHaveCount(0);
  release();
  await expect(panelOf(page).getByText("Total now")).toBeVisible();
  await expect(titleOf(page, "Anna")).toBeFocused();
});

test("boxes: what shoppers and vendors typed is text, and the list and the panel have no accessibility violation in both themes and on a phone", async ({
  page,
  market,
}) => {
  await openBoxes(page, market, { order: 2 });
  await expect(titleOf(page, "Cleo")).toContainText(MARKUP);
  await expect(panelOf(page)).toContainText(`Ring twice ${MARKUP}`);
  await expect(panelOf(page)).toContainText(`Cluck & Co. ${MARKUP}`);
  await expect(page.getByRole("main").locator("img")).toHaveCount(0);
  await expectAccessible(page);
  await pressCancel(page);
  await expect(page.getByRole("region", { name: "Cancel this order" })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await page.getByRole("button", { name: "Keep order" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("heading", { level: 1, name: /^Cleo/ })).toBeVisible();
  await expect(rowOf(page, "Anna")).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expect(rowOf(page, "Cleo")).toBeFocused();
  await expectAccessible(page);
});

test("boxes: a filter and a text are in the address, with the sums of what they find", async ({ page, market }) => {
  const day = await openBoxes(page, market);
  const views = page.getByRole("navigation", { name: "Filter by state" });
  await views.getByRole("link", { name: "To collect 1" }).click();
  await expect(rowOf(page, "Ben")).toContainText("Collect $13.00");
  await expect(rowOf(page, "Anna")).toHaveCount(0);
  await expect(page).toHaveURL(`${day.path}?show=due`);
  await expect(page.getByRole("definition").filter({ hasText: "$13.00" })).toHaveCount(2);
  await views.getByRole("link", { name: "All 4" }).click();
  await page.keyboard.press("f");
  await expect(page.getByRole("searchbox", { name: "Find a box" })).toBeFocused();
  await page.getByRole("searchbox", { name: "Find a box" }).fill("dora");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page).toHaveURL(`${day.path}?q=dora`);
  await page.reload();
  await expect(rowOf(page, "Dora")).toBeVisible();
  await expect(page.getByRole("searchbox", { name: "Find a box" })).toHaveValue("dora");
  await page.getByRole("searchbox", { name: "Find a box" }).fill("zebra");
  await expect(page.getByText("No box matches “zebra”")).toBeVisible();
  await page.getByRole("link", { name: "Show all boxes" }).click();
  await expect(rowOf(page, "Anna")).toBeVisible();
});

test("order: a cancellation needs a reason, keeps it, is held for ten seconds, and is undone", async ({
  page,
  market,
}) => {
  await openBoxes(page, market, { order: 0 });
  await expect(titleOf(page, "Anna")).toBeVisible();
  await pressCancel(page);
  const form = page.getByRole("region", { name: "Cancel this order" });
  const reason = form.getByLabel("Reason");
  await expect(reason).toBeFocused();
  await expect(form).toContainText("$6.50 to store credit, 1 email");
  await form.getByRole("button", { name: "Cancel order" }).click();
  await expect(reason).toHaveAccessibleDescription(/Give a reason\./);
  await reason.fill("Moved away");
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Cancel order" })).toBeFocused();
  await page.keyboard.press("j");
  await expect(titleOf(page, "Ben")).toBeVisible();
  await page.keyboard.press("k");
  await expect(titleOf(page, "Anna")).toBeVisible();
  await pressCancel(page);
  await expect(reason).toHaveValue("Moved away");
  await expect(form).toContainText("$6.50 to store credit, 1 email");
  await page.keyboard.press("Enter");
  // The button that had it is gone.
  await expect(titleOf(page, "Anna")).toBeFocused();
  await expect(effects(page)).toContainText(/Cancels in \d+ s|Cancelling/);
  await effects(page).getByRole("button", { name: "Undo" }).click();
  await expect(effects(page)).toHaveCount(0);
  await expect(panelOf(page)).toContainText("Packing");
  await expect(page.getByRole("button", { name: "Cancel order" })).toBeVisible();
});

test("order: a cancellation is not sent before what it gives back is on the screen", async ({ page, market }) => {
  const day = await openBoxes(page, market, { order: 0 });
  let isAway = true;
  await page.route("**/api/admin/orders/*/cancel/plan", (route) =>
    isAway ? route.fulfill({ status: 500, json: { message: "Something broke." } }) : route.continue(),
  );
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith(`/orders/${day.orders[0]}/cancel`)) sent += 1;
  });
  await pressCancel(page);
  const form = page.getByRole("region", { name: "Cancel this order" });
  await form.getByLabel("Reason").fill("Moved away");
  await expect(form).toContainText("What goes back couldn’t be worked out.");
  await page.keyboard.press("Enter");
  await expect(form.getByRole("button", { name: "Cancel order" })).toHaveAttribute("aria-disabled", "true");
  isAway = false;
  await form.getByRole("button", { name: "Try again" }).click();
  await expect(form).toContainText("$6.50 to store credit, 1 email");
  expect(sent).toBe(0);
  await form.getByRole("button", { name: "Cancel order" }).click();
  await expect(effects(page)).toContainText(/Cancels in \d+ s|Cancelling/);
});

test("order: a cancellation that is not undone is carried out; the box is then cancelled in the list, with the reason in its history", async ({
  page,
  market,
}) => {
  await openBoxes(page, market, { order: 0 });
  await expect(titleOf(page, "Anna")).toBeVisible();
  await pressCancel(page);
  await page.getByLabel("Reason").fill(`Moved away ${MARKUP}`);
  await expect(panelOf(page)).toContainText("$6.50 to store credit, 1 email");
  await page.keyboard.press("Enter");
  await expect(effects(page)).toBeVisible();
  await market.ask("doHeldActions");
  await expect(rowOf(page, "Anna")).toContainText("Cancelled");
  const history = panelOf(page).getByRole("region", { name: "History" });
  await expect(history).toContainText(`Moved away ${MARKUP}`);
  await expect(effects(page)).toHaveCount(0);
  await expect(panelOf(page).getByRole("group", { name: "Actions" }).getByRole("button")).toHaveText([/^Note/]);
});

test("order: one that someone else changes while a reason is typed is shown as it is now, and the reason stays", async ({
  page,
  market,
}) => {
  const day = await openBoxes(page, market, { order: 0 });
  await expect(titleOf(page, "Anna")).toBeVisible();
  await pressCancel(page);
  await page.getByLabel("Reason").fill("Moved away");
  await expect(panelOf(page)).toContainText("$6.50 to store credit, 1 email");
  // This page learns of nothing more until its request arrives.
  await page.route(`**/api/admin/orders/${day.orders[0]}`, (route) => route.abort());
  await page.route("**/api/admin/orders/*/cancel/plan", (route) => route.abort());
  await market.ask("cancelFrozen", { id: day.orders[0]! });
  await page.keyboard.press("Enter");
  const form = page.getByRole("region", { name: "Cancel this order" });
  await expect(form.getByRole("alert")).toContainText("Someone changed this order while you were typing.");
  await expect(form.getByLabel("Reason")).toHaveValue("Moved away");
  await expect(form).toContainText("This order can’t be cancelled any more.");
});

test("order: it is marked paid with one key, and undone; an email is sent again once its hold is over", async ({
  page,
  market,
}) => {
  const day = await openBoxes(page, market, { order: 1 });
  await market.ask("orderMail", { orderId: day.orders[1]!, template: "order-confirmation" });
  await page.reload();
  await expect(page.getByRole("button", { name: "Mark $13.00 paid" })).toBeVisible();
  await page.keyboard.press("d");
  await expect(effects(page)).toContainText("$13.00 marked paid by you");
  await expect(rowOf(page, "Ben")).toContainText("Paid");
  await effects(page).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Mark $13.00 paid" })).toBeVisible();
  await expect(rowOf(page, "Ben")).toContainText("Collect $13.00");

  await page.getByRole("button", { name: "Send again: Order confirmation" }).click();
  await expect(effects(page)).toContainText("Email “Order confirmation”");
  await market.ask("doHeldActions");
  await expect(effects(page)).toHaveCount(0);
  const history = panelOf(page).getByRole("region", { name: "History" });
  await expect(history).toContainText("Email sent again");
});

test("order: with boxes selected, P prints them and records no payment of the order that J opened", async ({
  page,
  market,
}) => {
  await openBoxes(page, market, { order: 0 });
  await rowOf(page, "Anna").getByRole("checkbox").check();
  await expect(page.getByRole("group", { name: "Selected orders" })).toContainText("1 selected");
  await page.keyboard.press("j");
  await expect(page.getByRole("button", { name: "Mark $13.00 paid" })).toBeVisible();
  await page.keyboard.press("p");
  await expect(page.getByRole("dialog", { name: "Print", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Mark $13.00 paid" })).toBeVisible();
  await expect(effects(page)).toHaveCount(0);
});

test("order: of boxes that were paid together its panel says so, and takes back the payment of this box alone", async ({
  page,
  market,
}) => {
  const day = await openBoxes(page, market, { isSecondDue: true });
  await page.goto(day.path.replace(/boxes$/, "door"));
  await page.getByRole("button", { name: "Tick all 2", exact: true }).click();
  await page.getByRole("button", { name: /^Record / }).click();
  // Its name changes as it is pressed; the address may change once the answer is there.
  await expect(page.getByText("All $39.00 collected")).toBeVisible();
  await page.goto(`${day.path}/${day.orders[1]}`);
  await expect(effects(page)).toContainText("Marked paid by you with 1 other box, $39.00 in all");
  await effects(page).getByRole("button", { name: "Undo this box" }).click();
  await expect(page.getByRole("button", { name: "Mark $13.00 paid" })).toBeVisible();
  await expect(rowOf(page, "Ben")).toContainText("Collect $13.00");
  await expect(rowOf(page, "Dora")).toContainText("Paid");
});

test("order: a change by someone else marks its row and moves none", async ({ page, market }) => {
  const day = await openBoxes(page, market);
  await page.getByRole("link", { name: "To collect 1" }).click();
  await expect(rowOf(page, "Anna")).toHaveCount(0);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await market.ask("cancelFrozen", { id: day.orders[1]! });
  await expect(rowOf(page, "changed")).toContainText(/Ben.*Cancelled/);
});

test("order: its number opens it in the list of all orders; a number that does not exist and a day without boxes have words", async ({
  page,
  market,
}) => {
  const day = await openBoxes(page, market);
  await page.goto(`/admin/orders/${day.orders[3]}?hub=${day.hub}`);
  await expect(titleOf(page, "Dora")).toBeVisible();
  await expect(rowOf(page, "Dora")).toHaveAttribute("aria-current", "true");
  await page.goto("/admin/orders/123");
  await expect(page.getByRole("heading", { level: 2, name: "No such order" })).toBeVisible();
  await page.goto(`${day.path}/123`);
  await expect(panelOf(page).getByText("There is no order with this number")).toBeVisible();
  await page.goto(`/admin/days/${day.hub}/2025-01-01/boxes`);
  await expect(page.getByRole("heading", { level: 1, name: "No such delivery day" })).toBeVisible();
  const empty = await market.ask("deliveryDay", { orders: [], vendor: "Farm", product: "Eggs", isClosed: false });
  await page.goto(`/admin/days/${empty.hub}/${empty.date}/boxes`);
  await expect(page.getByText("No boxes yet")).toBeVisible();
});
