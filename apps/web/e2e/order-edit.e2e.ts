import type { Page } from "@playwright/test";

import { expectAccessible } from "./lib/axe.ts";
import { expect, test, type TestMarket } from "./lib/fixtures.ts";
import { askApi, beNewCustomer, holdAnswer, placeByApi } from "./lib/orders.ts";

const confirmation = (page: Page) => page.getByRole("dialog", { name: "Your changes are still being saved" });

/** The receipt of a new order of three, one of them taken off again and not saved. */
async function withEdit(page: Page, market: TestMarket) {
  await beNewCustomer(page, market);
  const oats = await market.ask("product", { title: "Edited Oats", inventory: 20 });
  const id = await placeByApi(page, market, [{ ...oats, quantity: 3 }]);
  await page.goto("/more");
  await page.getByRole("main").getByRole("button", { name: "My orders" }).click();
  const open = async () => {
    await page
      .getByRole("dialog")
      .last()
      .getByRole("button", { name: new RegExp(`#${id}\\b`) })
      .click();
    const sheet = page.getByRole("dialog").last();
    await expect(sheet.getByRole("heading", { name: `Order #${id}`, exact: true })).toBeVisible();
    return sheet;
  };
  const sheet = await open();
  await sheet.getByRole("button", { name: "Edit Order" }).click();
  await sheet.getByRole("button", { name: /^Remove one/ }).click();
  const kept = async () =>
    (await askApi<{ items: { quantity: number }[] }>(page, market, "GET", `/orders/${id}`)).items[0]!.quantity;
  return { id, sheet, open, kept };
}

for (const way of ["Esc", "the close button", "the browser's Back"] as const)
  test(`order edit: ${way} while it is saved confirms once; left anyway, the change is saved and announced`, async ({
    page,
    market,
  }) => {
    const { id, sheet, open, kept } = await withEdit(page, market);
    const { answered, release } = await holdAnswer(page, "/orders/edit-order");
    await sheet.getByRole("button", { name: "Save" }).click();
    expect(await answered).toBe(200);
    const leave = async () => {
      if (way === "Esc") await sheet.getByRole("heading", { name: `Order #${id}`, exact: true }).press("Escape");
      else if (way === "the close button") await sheet.getByRole("button", { name: "Close" }).click();
      else await page.goBack();
    };
    await leave();
    if (way === "Esc") await expectAccessible(page);
    await confirmation(page).getByRole("button", { name: "Stay" }).click();
    await expect(confirmation(page)).toHaveCount(0);
    await expect(sheet.getByRole("button", { name: "Saving…" })).toBeVisible();
    await leave();
    await confirmation(page).getByRole("button", { name: "Leave anyway" }).click();
    await expect(sheet.getByRole("heading", { name: "My orders" })).toBeVisible();
    release();
    await expect(page.getByText("Order changes submitted!").first()).toBeVisible();
    expect(await kept()).toBe(2);
    await expect((await open()).getByText("Unsaved changes")).toHaveCount(0);
  });

test("order edit: the answer arrives while leaving is confirmed: the receipt stays and shows what was saved", async ({
  page,
  market,
}) => {
  const { id, sheet } = await withEdit(page, market);
  const { answered, release } = await holdAnswer(page, "/orders/edit-order");
  await sheet.getByRole("button", { name: "Save" }).click();
  await answered;
  await page.goBack();
  await expect(confirmation(page)).toBeVisible();
  release();
  await expect(confirmation(page)).toHaveCount(0);
  await expect(sheet.getByRole("heading", { name: `Order #${id}`, exact: true })).toBeVisible();
  await expect(sheet.getByText("Unsaved changes")).toHaveCount(0);
  // Nothing holds it any more.
  await page.goBack();
  await expect(sheet.getByRole("heading", { name: "My orders" })).toBeVisible();
});

test("order edit: the receipt left while its order is deleted: the list it was opened from stays", async ({
  page,
  market,
}) => {
  const { sheet } = await withEdit(page, market);
  await sheet.getByRole("button", { name: /^Remove one/ }).click();
  await sheet.getByRole("button", { name: /^Remove / }).click();
  await sheet.getByRole("button", { name: "Save" }).click();
  const { answered, release } = await holdAnswer(page, "/orders/edit-order");
  await sheet.getByRole("button", { name: "Delete order" }).click();
  expect(await answered).toBe(200);
  await page.goBack();
  await confirmation(page).getByRole("button", { name: "Leave anyway" }).click();
  await expect(sheet.getByRole("heading", { name: "My orders" })).toBeVisible();
  release();
  await expect(page.getByText("Order has been deleted!").first()).toBeVisible();
  await expect(sheet.getByText("Your first order will show up here")).toBeVisible();
  await expect(sheet.getByRole("heading", { name: "My orders" })).toBeVisible();
});

test("order edit: a reload while it is saved confirms first; after it the receipt shows what was saved", async ({
  page,
  market,
}) => {
  const { id, sheet, kept } = await withEdit(page, market);
  const { answered } = await holdAnswer(page, "/orders/edit-order");
  await sheet.getByRole("button", { name: "Save" }).click();
  await answered;
  const shown = page.waitForEvent("dialog");
  const reloaded = page.reload();
  const dialog = await shown;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloaded;
  await expect(sheet.getByRole("heading", { name: `Order #${id}`, exact: true })).toBeVisible();
  await expect(sheet.getByText("Unsaved changes")).toHaveCount(0);
  await expect(sheet.getByRole("button", { name: "Edit Order" })).toBeVisible();
  expect(await kept()).toBe(2);
});

test("order edit: changes that are not saved are there after the receipt was closed and the page reloaded, and its row names them", async ({
  page,
  market,
}) => {
  const { id, sheet, open, kept } = await withEdit(page, market);
  const row = sheet.getByRole("button", { name: new RegExp(`#${id}\\b`) });
  await page.goBack();
  await expect(row).toContainText("Unsaved changes");
  await page.reload();
  await expect(row).toContainText("Unsaved changes");
  expect(await kept()).toBe(3);
  await open();
  await expect(sheet.getByRole("group", { name: "Quantity of Edited Oats" })).toContainText("2");
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Order changes submitted!").first()).toBeVisible();
  expect(await kept()).toBe(2);
  await page.goBack();
  await expect(row).toBeVisible();
  await expect(row).not.toContainText("Unsaved changes");
});

test("order edit: lowered again while it is saved, the second change stays unsaved", async ({ page, market }) => {
  const { sheet, kept } = await withEdit(page, market);
  const { answered, release } = await holdAnswer(page, "/orders/edit-order");
  await sheet.getByRole("button", { name: "Save" }).click();
  await answered;
  await sheet.getByRole("button", { name: /^Remove one/ }).click();
  release();
  await expect(page.getByText("Order changes submitted!").first()).toBeVisible();
  await expect(sheet.getByRole("group", { name: "Unsaved changes" })).toBeVisible();
  await expect(sheet.getByRole("group", { name: "Quantity of Edited Oats" })).toContainText("1");
  expect(await kept()).toBe(2);
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet.getByRole("button", { name: "Edit Order" })).toBeVisible();
  expect(await kept()).toBe(1);
});

test("order edit: after a save without a response and a reload, the next save has the same key", async ({
  page,
  market,
}) => {
  const { sheet, kept } = await withEdit(page, market);
  const keys: (string | undefined)[] = [];
  await page.route("**/api/orders/edit-order", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    await (keys.length === 1 ? route.abort() : route.fallback());
  });
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet.getByRole("alert").filter({ hasText: "We couldn't reach the market." })).toBeVisible();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Order changes submitted!").first()).toBeVisible();
  expect(keys[0]).toMatch(/./);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(await kept()).toBe(2);
});

test("order edit: after a lost answer the receipt shows what was saved", async ({ page, market }) => {
  const { sheet, kept } = await withEdit(page, market);
  const { release } = await holdAnswer(page, "/orders/edit-order", { lost: true });
  release();
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet.getByRole("alert").filter({ hasText: "We couldn't reach the market." })).toBeVisible();
  await expect(sheet.getByText("Unsaved changes")).toHaveCount(0);
  expect(await kept()).toBe(2);
});
