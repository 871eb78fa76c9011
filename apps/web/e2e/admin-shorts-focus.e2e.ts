import { expect, test } from "./lib/admin.ts";
import { add, came, EGGS, openDay, row, settle } from "./lib/shorts.ts";

test("shorts: a row that is opened has the focus on its item's name, where Enter settles nothing; a held Enter settles once", async ({
  page,
  market,
}) => {
  await openDay(page, market);
  await add(page, "eggs 9, rye 3");
  await expect(page.getByRole("button", { name: /^Settle all 2/ })).toBeFocused();
  await page.getByRole("link", { name: /Rye.*3 of 4/ }).click();
  const name = page.getByRole("heading", { level: 2, name: "Rye" });
  await expect(name).toBeFocused();
  await expect(settle(page)).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.press("k");
  await expect(page.getByRole("heading", { level: 2, name: EGGS })).toBeFocused();
  await expect(settle(page)).toBeVisible();
  await page.keyboard.press("Enter");
  // The number's Enter goes to the button, and no further while it is held.
  await came(page).focus();
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect(settle(page)).toBeFocused();
  await expect(page.getByRole("region", { name: "Settling", exact: true })).toHaveCount(0);
  await row(page, "Walt").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Settling", exact: true }).getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("region", { name: "To settle" })).toContainText("3 of 4");
});

test("shorts: what of several could not be settled is shown and marked; with one left, its key settles nothing", async ({
  page,
  market,
}) => {
  await openDay(page, market);
  await add(page, "eggs 9, rye 3");
  const all = page.getByRole("button", { name: /^Settle all 2/ });
  await expect(all).toBeFocused();
  let fails = true;
  let requests = 0;
  await page.route("**/shorts/*/settle", (route) => {
    requests += 1;
    return fails ? route.fulfill({ status: 503, json: ["Busy. Try again."] }) : route.continue();
  });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "2 were not settled. Open each to see why." })).toBeVisible();
  const rows = page.getByRole("region", { name: "To settle" });
  await expect(rows.getByText("Failed, open to see why")).toHaveCount(2);
  await expect(page.getByRole("combobox", { name: "Item, and how many came" })).toHaveCount(0);
  await page.getByRole("link", { name: /Rye.*3 of 4/ }).click();
  await came(page).fill("4");
  await expect(all).toHaveCount(0);
  await page.getByRole("heading", { level: 2, name: "Rye" }).focus();
  await page.keyboard.press("Shift+Enter");
  await came(page).fill("3");
  await expect(all).toBeVisible();
  expect(requests).toBe(2);
  fails = false;
  await all.click();
  await expect(page.getByRole("region", { name: "Settling", exact: true }).getByRole("listitem")).toHaveCount(2);
  await expect(page.getByText("were not settled")).toHaveCount(0);
});

test("shorts: the answer of a settlement takes the focus from no one: what is typed meanwhile stays where it is", async ({
  page,
  market,
}) => {
  await openDay(page, market);
  await add(page, "eggs 9, rye 3");
  await expect(page.getByRole("button", { name: /^Settle all 2/ })).toBeFocused();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/shorts/*/settle", async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.getByRole("link", { name: /Rye.*3 of 4/ }).click();
  await settle(page).click();
  await page.getByRole("link", { name: new RegExp(`${EGGS}.*9 of 12`) }).click();
  await came(page).focus();
  await page.keyboard.type("1");
  release();
  const settling = page.getByRole("region", { name: "Settling", exact: true });
  await expect(settling).toContainText("3 of 4");
  await page.keyboard.type("0");
  await expect(came(page)).toHaveValue("10");
  await expect(came(page)).toBeFocused();
  // Add keeps its text too, when the button is clicked again.
  const addButton = page.getByRole("button", { name: "Add", exact: true });
  await addButton.click();
  const field = page.getByRole("combobox", { name: "Item, and how many came" });
  await field.fill("ry");
  await addButton.click();
  await expect(field).toHaveValue("ry");
});

test("shorts: an address that names an item and a number opens the one that fits; of several, or none, it opens Add with the words", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  const address = `/admin/days/${day.hub}/${day.date}/shorts`;
  const field = page.getByRole("combobox", { name: "Item, and how many came" });
  await page.goto(`${address}?find=cluck&came=3`);
  await expect(field).toHaveValue("cluck 3");
  await expect(page.getByRole("option")).toHaveCount(2);
  await expect(page.getByRole("region", { name: "To settle" })).toHaveCount(0);
  await page.goto(`${address}?find=plums&came=3`);
  await expect(field).toHaveValue("plums 3");
  await page.goto(`${address}?find=eggs&came=9`);
  await expect(settle(page)).toBeFocused();
  await expect(came(page)).toHaveValue("9");
});
