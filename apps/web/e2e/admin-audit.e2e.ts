import { randomUUID } from "node:crypto";

import type { Role } from "@marketday/domain/staff";

import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { nameOfItsOwn } from "./lib/shopper.ts";

/** Calls the API as another person. */
async function callAs(market: TestMarket, id: number, path: string, body: object) {
  const { name, value } = await market.ask("staffCookie", { id });
  const answer = await fetch(`${market.address}/api/admin${path}`, {
    method: "POST",
    headers: {
      cookie: `${name}=${value}`,
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      "idempotency-key": randomUUID().replaceAll("-", ""),
    },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

/** A closed day of which another person has recorded the first box at the door, and a function that records the next one. */
async function recordedDay(market: TestMarket) {
  const order = (name: string) => ({ name, quantity: 1, pays: "door" as const });
  const day = await market.ask("deliveryDay", {
    orders: [order("Eva Miller"), order("Ada Brown")],
    vendor: "Cluck & Co.",
    product: "Pasture Eggs",
    isClosed: true,
    drivers: 1,
  });
  const bo = newStaff(nameOfItsOwn("Bo"));
  const { id } = await market.ask("staff", { ...bo, role: "depot_lead" });
  const path = `/hubs/${day.hub}/days/${day.date}/door`;
  const { name, value } = await market.ask("staffCookie", { id });
  const read = async () => {
    const answer = await fetch(`${market.address}/api/admin${path}`, { headers: { cookie: `${name}=${value}` } });
    return (await answer.json()) as {
      groups: { boxes: { orderId: number; amount: number; state: string }[] }[];
    };
  };
  const recordNext = async () => {
    const { groups } = await read();
    const { orderId, amount } = groups.flatMap(({ boxes }) => boxes).find(({ state }) => state === "due")!;
    await callAs(market, id, `${path}/payments`, { orderIds: [orderId], amount });
    return orderId;
  };
  await recordNext();
  return { ...day, bo, recordNext };
}

async function openLog(page: Page, market: TestMarket, query: string, role: Role = "manager") {
  const { id } = await market.ask("staff", { ...newStaff(), role });
  await beStaff(page, market, id);
  await page.goto(`/admin/audit${query}`);
  await expect(page.getByRole("heading", { level: 1, name: "Audit log", exact: true })).toBeVisible();
}
const rowsOf = (page: Page) => page.getByRole("table", { name: "Entries", exact: true }).locator("tbody tr");

test("audit log: what a person did is found, opened with the keyboard and undone, and the undo is an entry of the same change", async ({
  page,
  market,
}) => {
  const { hub, bo } = await recordedDay(market);
  await openLog(page, market, `?hub=${hub}`);
  const filters = page.getByRole("search", { name: "Filters", exact: true });
  await filters.getByLabel("What").selectOption("Paid at the door, together");
  await expect(rowsOf(page)).toHaveCount(1);
  await filters.getByLabel("Who").selectOption({ label: bo.name });
  await expect(page).toHaveURL(/who=staff%3A/);
  const row = rowsOf(page).filter({ hasText: bo.name });
  await expect(row).toContainText("recorded $");
  await expect(row).toContainText("Can be undone");
  await row.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("region", { name: /^Entry \d+$/ });
  await expect(panel.getByText("In the admin app")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await panel.getByRole("button", { name: /^Undo: / }).click();
  await expect(panel.getByText("This was undone.")).toBeVisible();
  await expect(row).toContainText("Undone");
  await panel.getByRole("link", { name: "All entries of this change", exact: true }).click();
  await expect(rowsOf(page)).toHaveCount(4);
  await expect(rowsOf(page).first()).toContainText("You");
  await expect(rowsOf(page).first()).toContainText("undid the recording of payments");
});

test("audit log: a filter that fails to load shows no entries of the filter before", async ({ page, market }) => {
  const { hub } = await recordedDay(market);
  await openLog(page, market, `?hub=${hub}`);
  await expect(rowsOf(page).first()).toBeVisible();
  await page.route(/\/api\/admin\/audit\?.*q=door/, (route) =>
    route.fulfill({ status: 500, json: ["The server failed.", {}] }),
  );
  await page.getByRole("searchbox", { name: "Words", exact: true }).fill("door");
  await expect(page.getByText("The audit log could not be loaded.", { exact: true })).toBeVisible();
  await expect(rowsOf(page).filter({ hasText: "recorded $" })).toHaveCount(0);
});

test("audit log: what is typed stays over pauses, with too few letters for a search and with a space at its end", async ({
  page,
  market,
}) => {
  await page.clock.install();
  await openLog(page, market, "");
  // Longer than the pause after which the list is filtered.
  const pause = () => page.clock.fastForward(600);
  const words = page.getByRole("searchbox", { name: "Words", exact: true });
  await words.pressSequentially("do");
  await pause();
  await expect(page.getByText("Type at least 3 letters", { exact: true })).toBeVisible();
  await words.pressSequentially("or ");
  await pause();
  await expect(page).toHaveURL(/[?&]q=door$/);
  await words.pressSequentially("paid");
  await pause();
  await expect(page).toHaveURL(/[?&]q=door\+paid$/);
  await expect(words).toHaveValue("door paid");
  await page.getByLabel("About", { exact: true }).selectOption("Vendor");
  const vendor = page.getByRole("textbox", { name: "Short name, like oak-farm", exact: true });
  await vendor.pressSequentially("Duck ");
  await pause();
  await expect(page).toHaveURL(/thing=vendor%3ADuck(?:&|$)/);
  await vendor.pressSequentially("Farm");
  await pause();
  await expect(page).toHaveURL(/thing=vendor%3ADuck\+Farm(?:&|$)/);
  await expect(vendor).toHaveValue("Duck Farm");
  await page.getByRole("link", { name: "Clear filters", exact: true }).first().click();
  await expect(words).toHaveValue("");
});

test("audit log: new entries are announced, and no row moves until they are shown", async ({ page, market }) => {
  const { hub, recordNext } = await recordedDay(market);
  await openLog(page, market, `?hub=${hub}&action=door+paid`);
  await expect(rowsOf(page)).toHaveCount(1);
  const first = await rowsOf(page).first().getAttribute("id");
  await recordNext();
  await expect(page.getByText("1 new entry")).toBeVisible();
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowsOf(page).first()).toHaveAttribute("id", first!);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(rowsOf(page)).toHaveCount(2);
  await expect(rowsOf(page).last()).toHaveAttribute("id", first!);
  await expect(page.getByText("1 new entry")).toHaveCount(0);
});

test("audit log on a phone: a person who reads only their own entries reads that, filters and finds nothing, and clears the filter", async ({
  page,
  market,
}) => {
  const { hub } = await recordedDay(market);
  await page.setViewportSize({ width: 360, height: 740 });
  await openLog(page, market, `?hub=${hub}&who=operator`, "support");
  await expect(page.getByText("You see what you did yourself.")).toBeVisible();
  await expect(page.getByText("No entry matches these filters")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Clear filters", exact: true }).first().click();
  await expect(page).not.toHaveURL(/who=/);
  await page.goto("/admin/security");
  const abilities = page.getByRole("region", { name: "What you can do", exact: true });
  await expect(abilities.getByText("You can refund orders, up to $50.00 at a time, in all markets.")).toBeVisible();
  await expect(abilities.getByText("As Support in all markets").first()).toBeVisible();
});
