import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";

/** A closed day of three boxes that are paid at the door, opened by a manager, with all of them selected. */
async function openBoxes(page: Page, market: TestMarket) {
  const day = await market.ask("deliveryDay", {
    orders: ["Anna Baker", "Ben Novak", "Flora Evans"].map((name) => ({ name, quantity: 1, pays: "door" as const })),
    vendor: "Cluck & Co.",
    product: "Pasture Eggs",
    isClosed: true,
    drivers: 1,
  });
  const { id } = await market.ask("staff", { ...newStaff(), role: "manager" });
  await beStaff(page, market, id);
  await page.goto(`/admin/days/${day.hub}/${day.date}/boxes`);
  await page.getByRole("checkbox", { name: "Select all boxes in the list", exact: true }).check();
  const bar = page.getByRole("group", { name: "Selected orders", exact: true });
  await expect(bar.getByText("3 selected", { exact: true })).toBeVisible();
  return { day, bar };
}

test("bulk: of three boxes one is refused and named, the other two are recorded, and undone", async ({
  page,
  market,
}) => {
  const { day, bar } = await openBoxes(page, market);
  await market.ask("cancelFrozen", { id: day.orders[1]! });
  await bar.getByRole("button", { name: "Mark paid", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Mark as paid", exact: true });
  await expect(dialog.getByText(/^Ben.*: This order is cancelled\.$/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: /^Record/ })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Do the other 2", exact: true }).click();
  await dialog.getByRole("button", { name: /^Record \$/ }).click();
  const toast = page.getByRole("group", { name: /^2 boxes marked as paid/ });
  // It stays under the pointer.
  await toast.hover();
  await toast.getByRole("button", { name: /^Undo/ }).click();
  await expect(page.getByRole("group", { name: "Undone. The money is due again.", exact: true })).toBeVisible();
});

test("bulk: boxes that a search hides are no longer selected, and Select all selects those it finds", async ({
  page,
  market,
}) => {
  const { bar } = await openBoxes(page, market);
  const find = page.getByRole("searchbox", { name: "Find a box", exact: true });
  await find.fill("flora");
  await expect(page.getByRole("row", { name: /Anna/ })).toHaveCount(0);
  await expect(bar).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Select all boxes in the list", exact: true }).check();
  await expect(bar.getByText("1 selected", { exact: true })).toBeVisible();
  await find.fill("");
  await expect(page.getByRole("row", { name: /Anna/ })).toBeVisible();
  await expect(bar).toHaveCount(0);
});

test("bulk: boxes are cancelled together for a reason, also on a phone, which is held with its Undo", async ({
  page,
  market,
}) => {
  const { bar } = await openBoxes(page, market);
  // Of a phone, where the bar is over the tabs.
  await page.setViewportSize({ width: 360, height: 740 });
  await bar.getByRole("button", { name: "More", exact: true }).click();
  const item = bar.getByRole("button", { name: "Cancel…", exact: true });
  await expect(item).toBeInViewport({ ratio: 1 });
  await item.click();
  const dialog = page.getByRole("dialog", { name: "Cancel orders", exact: true });
  await expect(dialog.getByText(/^3 orders, \$\d+\.\d\d less to collect, 3 emails/)).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await dialog.getByRole("textbox", { name: "Reason", exact: true }).fill("Flood");
  await dialog.getByRole("button", { name: "Cancel 3 orders", exact: true }).click();
  await expect(page.getByRole("group", { name: /^3 orders are cancelled/ })).toBeVisible();
});

test("bulk: a message survives closing and a reload, and goes to each person", async ({ page, market }) => {
  const { bar } = await openBoxes(page, market);
  await bar.getByRole("button", { name: "Message", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Write to customers", exact: true });
  await dialog.getByRole("textbox", { name: "Subject", exact: true }).fill("An hour later");
  await page.reload();
  await page.getByRole("checkbox", { name: "Select all boxes in the list", exact: true }).check();
  await bar.getByRole("button", { name: "Message", exact: true }).click();
  await expect(dialog.getByRole("textbox", { name: "Subject", exact: true })).toHaveValue("An hour later");
  await dialog.getByRole("textbox", { name: "Message", exact: true }).fill("The truck is late.");
  await dialog.getByRole("button", { name: "Send 3 emails", exact: true }).click();
  await expect(page.getByRole("group", { name: /^3 emails send/ })).toBeVisible();
});

test("bulk: receipts of the selected boxes are one PDF", async ({ page, market }) => {
  const { bar } = await openBoxes(page, market);
  await bar.getByRole("button", { name: "Print", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Print", exact: true });
  const opens = dialog.getByRole("button", { name: "Open the PDF of 3 orders", exact: true });
  await expect(opens).toBeVisible();
  const requested = page.context().waitForEvent("request", (request) => request.url().includes("/bulk/print/receipts"));
  await opens.click();
  const answer = await page.request.get((await requested).url(), { headers: { "sec-fetch-site": "same-origin" } });
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  expect((await answer.body()).subarray(0, 5).toString()).toBe("%PDF-");
});

test("bulk: boxes are moved together to a pickup point, also on a phone; the first one is cancelled and named, and one Undo takes them back", async ({
  page,
  market,
}) => {
  const { day, bar } = await openBoxes(page, market);
  const first = Math.min(...day.orders);
  const person = ["Anna", "Ben", "Flora"][day.orders.indexOf(first)]!;
  await market.ask("cancelFrozen", { id: first });
  await page.setViewportSize({ width: 360, height: 740 });
  await bar.getByRole("button", { name: "More", exact: true }).click();
  const item = bar.getByRole("button", { name: "Move to a pickup point…", exact: true });
  await expect(item).toBeInViewport({ ratio: 1 });
  await item.click();
  const dialog = page.getByRole("dialog", { name: "Move to a pickup point", exact: true });
  const point = dialog.getByRole("combobox", { name: "Pickup point", exact: true });
  await expect(point.getByRole("option")).toHaveCount(2);
  await expect(dialog.getByRole("button", { name: /^Move \d/ })).toHaveCount(0);
  const name = (await point.getByRole("option").nth(1).textContent())!.split(",")[0]!;
  await point.selectOption({ index: 1 });
  await expect(dialog.getByText(new RegExp(`^${person}.*: This order is cancelled\\.$`))).toBeVisible();
  await expect(dialog.getByText("Customers get no email about it. Write to them with Message.")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await dialog.getByRole("button", { name: "Do the other 2", exact: true }).click();
  await expect(dialog.getByRole("group", { name: "What it does", exact: true })).toBeFocused();
  await expect(point).not.toHaveValue("");
  await dialog.getByRole("button", { name: "Move 2 orders", exact: true }).click();
  const toast = page.getByRole("group", { name: `2 orders go to ${name}`, exact: true });
  // It stays under the pointer.
  await toast.hover();
  await toast.getByRole("button", { name: /^Undo/ }).click();
  await expect(page.getByRole("group", { name: "Undone. They go where they went before.", exact: true })).toBeVisible();
});
