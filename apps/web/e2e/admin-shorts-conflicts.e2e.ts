import { expect, test } from "./lib/admin.ts";
import { add, came, openDay, settle } from "./lib/shorts.ts";

test(
  "shorts: two people count the same item; the second keeps what they typed and chooses between both values",
  { tag: "@fail:N8" },
  async ({ page, market, context }) => {
    const day = await openDay(page, market);
    await add(page, "eggs 9");
    await expect(settle(page)).toBeVisible();
    const other = await context.newPage();
    await other.goto(`/admin/days/${day.hub}/${day.date}/shorts`);
    await add(other, "eggs 8");
    await expect(settle(other)).toBeVisible();
    await other.getByRole("button", { name: "Save for later" }).click();

    const conflict = page.getByRole("alert").filter({ hasText: "also counted this item" });
    await expect(conflict).toContainText(day.person.name);
    await expect(came(page)).toHaveValue("9");
    await expect(page.getByRole("button", { name: "Settle" })).toHaveAccessibleDescription("Choose which count stays.");
    await conflict.getByRole("button", { name: "Keep yours: 9 of 12" }).click();
    await expect(conflict).toHaveCount(0);
    await settle(page).click();
    await expect(page.getByText(/^Settles in \d+ s$/).first()).toBeVisible();
    // The other page shows what was settled instead.
    await expect(other.getByRole("region", { name: "Settling", exact: true })).toContainText("9 of 12");
    await expect(came(other)).toHaveCount(0);
  },
);

test(
  "shorts: a count that someone else saved first, before this page learned of it, is not overwritten",
  { tag: "@fail:N8" },
  async ({ page, market, context }) => {
    const day = await openDay(page, market);
    const address = `/api/admin/hubs/${day.hub}/days/${day.date}/shorts`;
    const old = await (await page.request.get(address)).json();
    let isBehind = true;
    await page.route(`**${address}`, (route) => {
      if (route.request().method() === "GET") return isBehind ? route.fulfill({ json: old }) : route.continue();
      isBehind = false;
      return route.continue();
    });
    const other = await context.newPage();
    await other.goto(`/admin/days/${day.hub}/${day.date}/shorts`);
    await add(other, "eggs 8");
    await other.getByRole("button", { name: "Save for later" }).click();
    await expect(other.getByRole("region", { name: "To settle" })).toContainText("8 of 12");
    await expect(other.getByRole("button", { name: "Save for later" })).toHaveCount(0);

    await add(page, "eggs 9");
    await settle(page).click();
    const conflict = page.getByRole("alert").filter({ hasText: "also counted this item" });
    await conflict.getByRole("button", { name: "Use 8 of 12" }).click();
    await expect(came(page)).toHaveValue("8");
    await expect(settle(page)).toBeVisible();
    await expect(page.getByRole("region", { name: "Settling", exact: true })).toHaveCount(0);
  },
);

test("shorts: a count that someone else settled says so, with what was settled; what was typed can be discarded", async ({
  page,
  market,
  context,
}) => {
  const day = await openDay(page, market);
  await add(page, "eggs 9");
  await expect(settle(page)).toBeVisible();
  await page.getByRole("button", { name: "Save for later" }).click();
  await expect(page.getByRole("button", { name: "Save for later" })).toHaveCount(0);
  await came(page).fill("8");
  const other = await context.newPage();
  await other.goto(`/admin/days/${day.hub}/${day.date}/shorts`);
  await settle(other).click();
  await expect(page.getByText("You typed 8 of 12. Undo first to change it, or discard what you typed.")).toBeVisible();
  await market.ask("doHeldActions");
  const conflict = page.getByRole("alert").filter({ hasText: `${day.person.name} settled 9 of 12` });
  await expect(conflict.getByRole("button", { name: "Keep yours: 8 of 9" })).toBeVisible();
  await conflict.getByRole("button", { name: "Discard what you typed" }).click();
  await expect(page.getByText("9 are still ordered.")).toBeVisible();
  await expect(conflict).toHaveCount(0);
});
