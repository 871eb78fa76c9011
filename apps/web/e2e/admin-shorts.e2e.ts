import { beStaff, expect, newStaff, type Page, test } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { add, boxes, came, EGGS, MARKUP, openDay, row, settle, totalOf, unitsOf } from "./lib/shorts.ts";

test(
  "shorts: from the day's screen, 9 of 12 is settled in at most six clicks and keys; a minute later each box, its money and its mails are done",
  { tag: "@fail:N8" },
  async ({ page, market }) => {
    const day = await openDay(page, market, { path: "" });
    let steps = 0;
    const click = async (target: ReturnType<Page["getByRole"]>) => {
      await target.click();
      steps += 1;
    };
    const press = async (key: string) => {
      await page.keyboard.press(key);
      steps += 1;
    };
    const views = page.getByRole("navigation", { name: "Screens of this delivery day" });
    await click(views.getByRole("link", { name: "Shorts", exact: true }));
    // Nothing is counted yet, so the items are listed.
    await click(page.getByRole("option", { name: /Pasture Eggs/ }));
    await expect(came(page)).toBeFocused();
    await press("9");
    await press("Enter");
    // The button says what goes back before it is pressed.
    await expect(settle(page)).toBeFocused();
    const amount = Number(/\$([\d.]+)/.exec(await settle(page).innerText())![1]);
    const before = await totalOf(market, day.orders);
    await press("Enter");
    await expect(page.getByRole("main")).toContainText("No email and no money has left yet.");
    expect(steps).toBeLessThanOrEqual(6);
    expect(await unitsOf(market, day.orders)).toEqual([4, 3, 3, 2]);

    await market.ask("doHeldActions");
    await expect(page.getByRole("region", { name: "Settled", exact: true })).toContainText("9 of 12");
    // Everyone gets one before anyone gets two: the newest of the largest boxes lose first.
    expect(await unitsOf(market, day.orders)).toEqual([3, 2, 2, 2]);
    expect(before - (await totalOf(market, day.orders))).toBe(Math.round(amount * 100));
    for (const [place, id] of day.orders.entries()) {
      const order = await market.ask("order", { id });
      expect(order.ledgerSum).toBe(0);
      const templates = await market.ask("mailTemplates", { to: order.email });
      expect(templates.filter((template) => template === "order-short")).toHaveLength(place < 3 ? 1 : 0);
    }
  },
);

test("shorts: undo in time takes the settlement back: the count is as it was typed, and no box is lowered", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  await add(page, "eggs 10");
  await expect(settle(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^Settles in \d+ s$/).first()).toBeVisible();
  await page
    .getByRole("button", { name: /^Undo: Pasture Eggs/ })
    .first()
    .click();
  await expect(came(page)).toHaveValue("10");
  await expect(page.getByRole("region", { name: "To settle" })).toContainText("10 of 12");
  await market.ask("doHeldActions");
  expect(await unitsOf(market, day.orders)).toEqual([4, 3, 3, 2]);
  await expect(settle(page)).toBeVisible();
});

test("shorts: shares set by hand must give out what came, and are what the boxes get", async ({ page, market }) => {
  const day = await openDay(page, market);
  await add(page, "eggs 10");
  await expect(boxes(page).getByRole("row")).toHaveCount(5);
  await expect(page.getByText("Everyone gets one before anyone gets two")).toBeVisible();
  await row(page, "Walt")
    .getByRole("button", { name: /^One less/ })
    .click();
  await expect(page.getByText("1 more to give")).toBeVisible();
  await expect(page.getByText("Set by hand")).toBeVisible();
  await expect(page.getByRole("button", { name: "Settle" })).toHaveAccessibleDescription("Give 1 more first.");
  // The rule is one click away, and back again.
  await page.getByRole("button", { name: "Use the rule" }).click();
  await expect(settle(page)).toBeVisible();
  await row(page, "Walt").focus();
  await page.keyboard.press("-");
  await page.keyboard.press("-");
  await expect(page.getByText("2 more to give")).toBeVisible();
  await row(page, "Priya").focus();
  await page.keyboard.press("+");
  await row(page, "Flora").focus();
  await page.keyboard.press("+");
  await expect(settle(page)).toBeVisible();
  await settle(page).click();
  await expect(page.getByText(/^Settles in \d+ s$/).first()).toBeVisible();
  await market.ask("doHeldActions");
  await expect(page.getByRole("region", { name: "Settled", exact: true })).toContainText("10 of 12");
  const left = await unitsOf(market, day.orders);
  expect([left.at(-1), left.reduce((sum, units) => sum + units, 0)]).toEqual([0, 10]);
});

test("shorts: several are typed in one line and settled by one button, each with its own undo", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  const field = page.getByRole("combobox", { name: "Item, and how many came" });
  await field.fill("eggs 9, plums 3");
  await expect(page.getByRole("list", { name: "What you typed" })).toContainText("No item matches “plums”.");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("eggs 9, plums 3");
  await field.fill("eggs 9, rye 3");
  await page.keyboard.press("Enter");
  const all = page.getByRole("button", { name: /^Settle all 2, refund \$\d/ });
  await expect(all).toBeFocused();
  await page.keyboard.press("Enter");
  const settling = page.getByRole("region", { name: "Settling", exact: true });
  await expect(settling.getByRole("listitem")).toHaveCount(2);
  await expect(field).toBeFocused();
  await settling.getByRole("button", { name: /^Undo: Rye/ }).click();
  await expect(settling.getByRole("listitem")).toHaveCount(1);
  await market.ask("doHeldActions");
  await expect(page.getByRole("region", { name: "Settled", exact: true })).toContainText("9 of 12");
  await expect(page.getByRole("region", { name: "To settle" })).toContainText("3 of 4");
  expect(await unitsOf(market, day.orders)).toEqual([3, 2, 2, 2]);
});

test("shorts: a settlement that is refused in the end says why, keeps the count and can be settled again", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  await add(page, "eggs 9");
  await settle(page).click();
  await expect(page.getByText(/^Settles in \d+ s$/).first()).toBeVisible();
  // An order is cancelled while it is held: the shares are no longer those that the person saw.
  await market.ask("cancelFrozen", { id: day.orders[3]! });
  await market.ask("doHeldActions");
  await expect(page.getByRole("main")).toContainText("It was not settled");
  await expect(page.getByRole("region", { name: "To settle" })).toContainText("9 of 10");
  await expect(page.getByText("10 are ordered now. When it was counted there were 12.")).toBeVisible();
  expect((await unitsOf(market, day.orders)).slice(0, 3)).toEqual([4, 3, 3]);
  await settle(page).click();
  await expect(page.getByText(/^Settles in \d+ s$/).first()).toBeVisible();
});

test("shorts: what an older number costs arrives late and is dropped; meanwhile nothing can be settled", async ({
  page,
  market,
}) => {
  await openDay(page, market);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const { promise: isSent, resolve: onSent } = Promise.withResolvers<void>();
  await page.route("**/shorts/plan", async (route) => {
    if (route.request().postDataJSON().came !== 9) return route.continue();
    onSent();
    const answer = await route.fetch();
    await isReleased;
    return route.fulfill({ response: answer });
  });
  await add(page, "eggs 9");
  await isSent;
  await expect(page.getByRole("button", { name: "Settle", exact: true })).toHaveAccessibleDescription(
    "Calculating what goes back…",
  );
  await came(page).fill("11");
  await expect(settle(page)).toBeVisible();
  const name = await settle(page).innerText();
  release();
  await came(page).press("Escape");
  await came(page).fill("10");
  await expect(settle(page)).not.toHaveText(name);
  await came(page).fill("11");
  await expect(settle(page)).toHaveText(name, { useInnerText: true });
});

test("shorts: before the cutoff a count limits what is sold and cannot be settled yet", async ({ page, market }) => {
  const day = await openDay(page, market, { isClosed: false });
  await add(page, "eggs 9");
  await expect(page.getByText(/Orders are open until .* This can be settled once they have closed\./)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Settle/ })).toHaveCount(0);
  await expect(page.getByText("No emails", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Save 9 of 12" }).click();
  await expect(came(page)).toBeFocused();
  await expect(page.getByRole("region", { name: "Counted" })).toContainText("Sells no more than 9");
  await expect(page.getByRole("button", { name: /^(Settle|Save)/ })).toHaveCount(0);
  // All came after all.
  await came(page).fill("12");
  await page.getByRole("button", { name: "All came: remove the count" }).click();
  await expect(page.getByRole("region", { name: "Counted" })).toHaveCount(0);
  await expect(page.getByText("No shortage is counted")).toBeVisible();
  expect(await unitsOf(market, day.orders)).toEqual([4, 3, 3, 2]);
});

test("shorts: by keyboard alone two items are settled one after the other; Esc, J and K walk the list; names with markup are text", async ({
  page,
  market,
}) => {
  await openDay(page, market);
  const field = page.getByRole("combobox", { name: "Item, and how many came" });
  await expect(field).toBeFocused();
  await page.keyboard.type("cluck eggs 9");
  await page.keyboard.press("Enter");
  await expect(settle(page)).toBeFocused();
  await expect(row(page, "Priya")).toContainText(MARKUP);
  await page.keyboard.press("Enter");
  // Ready for the next one.
  await expect(field).toBeFocused();
  await page.keyboard.type("rye 3");
  await page.keyboard.press("Enter");
  await expect(settle(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Settling", exact: true }).getByRole("listitem")).toHaveCount(2);
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Add", exact: true })).toBeFocused();
  // The newest is first.
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 2, name: /^Pasture Eggs/ })).toBeVisible();
  await page.keyboard.press("k");
  await expect(page.getByRole("heading", { level: 2, name: "Rye" })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: new RegExp(`${EGGS}.*9 of 12`) })).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("Add a shortage");
  await expect(page.getByRole("main").locator("img")).toHaveCount(0);
});

test("shorts: what is typed survives a lost connection and a reload, and a number above what is ordered says so", async ({
  page,
  market,
  context,
}) => {
  await openDay(page, market);
  await add(page, "eggs 13");
  await expect(came(page)).toHaveAccessibleDescription(/Only 12 are ordered\. Enter 12 or less\./);
  await came(page).fill("9");
  await expect(settle(page)).toBeVisible();
  await context.setOffline(true);
  await settle(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "We don’t know whether it was settled." })).toBeVisible();
  await expect(came(page)).toHaveValue("9");
  await context.setOffline(false);
  await page.reload();
  await expect(came(page)).toHaveValue("9");
  await expect(page.getByRole("region", { name: "To settle" })).toContainText("9 of 12");
  await settle(page).click();
  await expect(page.getByText(/^Settles in \d+ s$/).first()).toBeVisible();
});

test("shorts: accessible in both themes, on a large window and on a phone, where an item is a page with a way back", async ({
  page,
  market,
}) => {
  await openDay(page, market);
  await add(page, "eggs 9");
  await expect(settle(page)).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expectAccessible(page);
  await settle(page).click();
  await expect(page.getByText(/^Settles in \d+ s$/).first()).toBeVisible();
  await expectContrast(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.getByRole("link", { name: "All shortages" }).click();
  await expect(page.getByRole("link", { name: "All shortages" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Settling", exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: new RegExp(EGGS) }).click();
  await expect(page.getByRole("link", { name: "All shortages" })).toBeVisible();
});

test("shorts: a date without a delivery, a day without orders, a server that fails and a role without the permission each say so", async ({
  page,
  market,
}) => {
  const day = await openDay(page, market);
  await page.goto(`/admin/days/${day.hub}/2025-01-01/shorts`);
  await expect(page.getByRole("heading", { level: 1, name: "No such delivery day" })).toBeVisible();
  const empty = await market.ask("placedDay", {
    vendor: "Hearth & Rye",
    products: [{ title: "Bagels", priceCents: 600 }],
    boxes: [],
    isClosed: false,
  });
  await page.goto(`/admin/days/${empty.hub}/${empty.date}/shorts`);
  await expect(page.getByRole("main")).toContainText("No orders yet");
  await expect(page.getByRole("button", { name: "Add", exact: true })).toHaveCount(0);
  let fails = true;
  await page.route("**/days/*/shorts", (route) =>
    fails ? route.fulfill({ status: 503, json: ["Busy. Try again."] }) : route.continue(),
  );
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "Busy. Try again." })).toBeVisible();
  fails = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("main")).toContainText("No orders yet");
  const { id } = await market.ask("staff", { ...newStaff(), role: "bookkeeper" });
  await beStaff(page, market, id);
  await page.goto(`/admin/days/${day.hub}/${day.date}/shorts`);
  await expect(page.getByRole("heading", { level: 1, name: "Nothing here for your role yet" })).toBeVisible();
});
