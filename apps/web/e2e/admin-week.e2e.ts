import { readFile } from "node:fs/promises";

import { Day, Minute } from "@marketday/domain/time";
import type { Locator } from "@playwright/test";

import { addPasskeyDevice, expect, keepStepUp, newStaff, type Page, test } from "./lib/admin.ts";
import { tabTo } from "./lib/keyboard.ts";
import { nameOfItsOwn } from "./lib/shopper.ts";

/**
 * The week of a market in the admin app, from a price before it opens to the payout after it (docs/operating.md, "The week in the admin app"):
 * an owner who has only a keyboard. What shoppers and their banks do meanwhile, and the time that passes, are controls.
 */

test.use({ ownMarket: "week" });

const BOXES = 300;
const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();
/** The last name of the subscriber at a place. */
const nameAt = (place: number) => `Baker-${String(place + 1).padStart(3, "0")}`;

/** In the page: whatever is done with a pointer is an error, which `pageErrors` finds. */
function refusePointers(): void {
  for (const kind of ["pointerdown", "mousedown", "touchstart", "wheel"])
    addEventListener(
      kind,
      () => {
        throw new Error(`A pointer was used: ${kind}`);
      },
      { capture: true },
    );
}

/** Goes to an element with Tab and presses Enter. */
async function enter(page: Page, element: Locator) {
  await tabTo(page, element);
  await page.keyboard.press("Enter");
}

/** Goes to what the palette finds first for these words: it shows each of them, or `shown`. */
async function go(page: Page, words: string, shown: readonly string[] = words.split(" ")) {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to, or do" });
  await expect(palette).toBeVisible();
  await page.keyboard.type(words);
  for (const word of shown) await expect(palette.getByRole("option").first()).toContainText(new RegExp(word, "i"));
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
}

/** The night has ended the session. */
async function signIn(page: Page) {
  await page.reload();
  await enter(page, page.getByRole("button", { name: "Sign in with a passkey" }));
  await expect(page.getByRole("navigation", { name: "Back office" })).toBeVisible();
}

/** Opens the order of a person whom the palette finds. */
async function openOrderOf(page: Page, name: string) {
  await go(page, name);
  const orders = page.getByRole("main").getByRole("table", { name: "Orders", exact: true });
  await enter(page, orders.getByRole("link"));
  await expect(page.getByRole("main").getByRole("heading", { name: new RegExp(name) })).toBeVisible();
}

test("market week: 300 boxes go from opening to paid out by keyboard alone; the ledger is zero and the checks are green", async ({
  page,
  market,
}) => {
  await page.addInitScript(refusePointers);
  const week = await market.ask("marketWeek", { boxes: BOXES, name: nameOfItsOwn("Fishers") });
  const { id, link } = await market.ask("staff", { ...newStaff(), role: "owner" });
  const main = page.getByRole("main");
  const mostUrgent = page.getByRole("region", { name: "Most urgent", exact: true });
  const sheets = page.getByRole("region", { name: /^Version \d is ready to print$/ });
  const boxesMenu = page.getByRole("group", { name: "Selected orders", exact: true });

  await test.step("before the week: the owner sets up a passkey, and a price", async () => {
    await addPasskeyDevice(page);
    await page.goto(link);
    await enter(page, page.getByRole("button", { name: "Create a passkey" }));
    await tabTo(page, page.getByRole("checkbox", { name: "I’ve saved them" }));
    await page.keyboard.press("Space");
    await enter(page, page.getByRole("button", { name: "Go to the back office" }));
    await expect(page.getByRole("heading", { level: 1, name: "Today" })).toBeVisible();
    await go(page, "products");
    await expect(page.getByRole("row", { name: /Seeded Rye/ })).toBeVisible();
    await page.keyboard.press("/");
    await page.keyboard.type("seeded rye");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("gridcell", { name: "8.50" })).toBeVisible();
    await tabTo(page, page.getByRole("grid").locator('td[tabindex="0"]'));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("8.75");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+s");
    await expect(page.getByRole("group", { name: "Saved 1 cell of 1 offer" })).toBeVisible();
  });

  await market.ask("passTime", { to: later(week.opensAt, Minute.ms) });
  await market.ask("passTime", { to: later(week.autoCheckoutAt, Minute.ms) });
  const orders = await market.ask("ordersOf", { deliveryId: week.deliveryId });
  expect(orders.filter(({ source, status }) => source === "auto" && status === "open")).toHaveLength(BOXES);
  const [cancelled, charged, atDoor] = [orders[16]!.id, orders[40]!.id, orders[41]!.id];

  await test.step("before the cutoff: the box of someone who calls is cancelled", async () => {
    await signIn(page);
    await openOrderOf(page, nameAt(16));
    await expect(main.getByRole("button", { name: "Cancel order" })).toBeVisible();
    await page.keyboard.press("c");
    await expect(page.getByLabel("Reason")).toBeFocused();
    await page.keyboard.type("Out of town");
    await expect(main.getByRole("region", { name: "Cancel this order" })).toContainText("1 email");
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^Order .* is cancelled (?:in \d+ s|now)$/).first()).toBeVisible();
    await market.ask("doHeldActions");
    expect(await market.ask("order", { id: cancelled })).toMatchObject({ status: "cancelled", ledgerSum: 0 });
  });
  for (const id of [charged, atDoor]) await market.ask("releaseHold", { id });

  await market.ask("passTime", { to: later(week.cutoffAt, Minute.ms) });
  await test.step("after the cutoff: sheets, and a declined card whose owner has saved another one", async () => {
    await signIn(page);
    await go(page, "today");
    await expect(mostUrgent).toContainText("299 boxes are waiting");
    await page.keyboard.press("Enter");
    await expect(sheets).toBeVisible();
    await tabTo(page, page.getByRole("link", { name: "Print all" }));
    await openOrderOf(page, nameAt(40));
    await expect(main).toContainText(/Declined \$\d/);
    await market.ask("saveGoodCard", { id: charged });
    await enter(page, main.getByRole("button", { name: /^Charge \$/ }));
    await expect(main).toContainText(/Charged \$\d/);
  });

  await market.ask("passTime", { to: `${week.date}T10:00:00.000Z` });
  await test.step("the packing morning: vendors come, two items are short, the sheets are renewed", async () => {
    await signIn(page);
    await go(page, `fishers ${week.date}`, ["fishers"]);
    await enter(page, page.getByRole("button", { name: "All 4 are here" }));
    await expect(page.getByText("4 of 4 here")).toBeVisible();
    await go(page, "shorts fishers");
    await expect(page.getByRole("combobox", { name: "Item, and how many came" })).toBeFocused();
    await page.keyboard.type("eggs 440, rye 145");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: /^Settle all 2, refund \$[\d.,]+$/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: "Settling" }).getByRole("listitem")).toHaveCount(2);
    await market.ask("doHeldActions");
    await go(page, `fishers ${week.date}`, ["fishers"]);
    await enter(page, page.getByRole("button", { name: /^Make version \d$/ }));
    await expect(sheets).toBeVisible();
    await tabTo(page, page.getByRole("link", { name: "Print only what changed" }));
  });

  await test.step("the evening: what was paid at the door, and every box is delivered", async () => {
    await go(page, "money at the door fishers");
    await tabTo(page, page.getByRole("checkbox", { name: new RegExp(nameAt(41)) }));
    await page.keyboard.press("Space");
    await enter(page, page.getByRole("button", { name: /^Record 1 payment, / }));
    await expect(page.getByText(/^All \$[\d.]+ collected$/)).toBeVisible();
    await go(page, "today");
    await expect(mostUrgent).toContainText("299 boxes to deliver");
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("checkbox", { name: "Select all boxes in the list", exact: true }));
    await page.keyboard.press("Space");
    await enter(page, boxesMenu.getByRole("button", { name: "More", exact: true }));
    await enter(page, boxesMenu.getByRole("button", { name: "Deliver", exact: true }));
    const dialog = page.getByRole("dialog", { name: "Mark as delivered", exact: true });
    await expect(dialog).toContainText("This order is cancelled.");
    await enter(page, dialog.getByRole("button", { name: "Do the other 299", exact: true }));
    await enter(page, dialog.getByRole("button", { name: "Deliver 299 orders", exact: true }));
    await expect(dialog).toBeHidden();
    await market.ask("doHeldActions");
    const delivered = async () =>
      (await market.ask("ordersOf", { deliveryId: week.deliveryId })).filter(({ status }) => status === "closed");
    await expect.poll(async () => (await delivered()).length).toBe(BOXES - 1);
  });

  await market.ask("passTime", { to: later(`${week.date}T15:00:00.000Z`, Day.ms) });
  await test.step("the day after: the vendors are paid, and the bank's file is saved", async () => {
    await signIn(page);
    await keepStepUp(page, market, id);
    await go(page, "today");
    await expect(mostUrgent).toContainText("4 farms aren’t paid");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Payouts", exact: true })).toBeVisible();
    const owed = (await market.ask("ledger")).owedCents;
    const amount = (owed / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
    const pay = main.getByRole("button", { name: /^Pay \$/ });
    await expect(pay).toContainText(amount);
    await enter(page, pay);
    const dialog = page.getByRole("dialog", { name: "Pay 4 vendors", exact: true });
    await enter(page, dialog.getByRole("button", { name: `Pay ${amount}`, exact: true }));
    await tabTo(page, page.getByRole("status").getByRole("link", { name: "Download bank file" }));
    const downloading = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    const lines = (await readFile(await (await downloading).path(), "utf8")).trim().split("\n");
    expect(lines).toHaveLength(5);
    const paidCents = lines.slice(1).reduce((sum, line) => sum + Math.round(Number(line.split(",").at(-2)) * 100), 0);
    expect(paidCents).toBe(owed);
  });

  await test.step("the end: nothing is left to do, and everything adds up", async () => {
    await go(page, "today");
    await expect(mostUrgent).toContainText("Nothing to do right now");
    await go(page, "settings");
    await enter(page, page.getByRole("button", { name: "Check now" }));
    await expect(main).toContainText("All checks passed");
    await expect(main).toContainText("Checked just now.");
    await expect(main).toContainText("No work has failed");
    expect(await market.ask("ledger")).toEqual({ owedCents: 0, sumCents: 0 });
    expect(await market.ask("audit")).toEqual([]);
  });
});
