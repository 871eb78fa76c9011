import { randomUUID } from "node:crypto";

import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";

const MARKUP = '<img src=x onerror="alert(1)">';

type Orders = Parameters<typeof orderOf>[0][];
const orderOf = (order: { name: string; quantity?: number; pays?: "door" | "declined"; isPickup?: boolean }) => ({
  quantity: 1,
  pays: "door" as const,
  ...order,
});

/** A closed day whose boxes are paid at the door, opened by a person who leads the depot. */
async function openDoor(page: Page, market: TestMarket, orders: Orders, { isClosed = true, drivers = 1 } = {}) {
  const day = await market.ask("deliveryDay", {
    orders: orders.map(orderOf),
    vendor: "Cluck & Co.",
    product: "Pasture Eggs",
    isClosed,
    drivers,
  });
  const { id } = await market.ask("staff", { ...newStaff(), role: "depot_lead" });
  await beStaff(page, market, id);
  const path = `/admin/days/${day.hub}/${day.date}/door`;
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: "Money at the door" })).toBeVisible();
  return { ...day, path };
}

/** Calls the API as another person. */
async function callAs(market: TestMarket, id: number, method: string, path: string, body?: object) {
  const { name, value } = await market.ask("staffCookie", { id });
  const answer = await fetch(`${market.address}/api/admin${path}`, {
    method,
    headers: {
      cookie: `${name}=${value}`,
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      "idempotency-key": randomUUID().replaceAll("-", ""),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

/** What another person records meanwhile. */
async function recordElsewhere(
  market: TestMarket,
  day: { hub: string; date: string },
  recording: { orderIds: number[]; amount: number },
) {
  const { id } = await market.ask("staff", { ...newStaff("Bo Lindgren"), role: "depot_lead" });
  await callAs(market, id, "POST", `/hubs/${day.hub}/days/${day.date}/door/payments`, recording);
}

/** One unit less comes for this box than were ordered, and another person has settled it. */
async function shortElsewhere(
  market: TestMarket,
  day: { hub: string; date: string; orders: number[] },
  orderId: number,
) {
  const { id } = await market.ask("staff", { ...newStaff("Bo Lindgren"), role: "manager" });
  const path = `/hubs/${day.hub}/days/${day.date}/shorts`;
  const { items } = await callAs(market, id, "GET", path);
  const { variantId, ordered } = items[0];
  const count = { variantId, came: ordered - 1, of: ordered, refundTo: "credit", bearer: "vendor", reason: "" };
  const { shares } = await callAs(market, id, "POST", `${path}/plan`, { ...count, gets: null });
  const gets = Object.fromEntries(
    shares.map((share: { boxId: number; ordered: number }) => [
      share.boxId,
      share.boxId === orderId ? share.ordered - 1 : share.ordered,
    ]),
  );
  const { shortages } = await callAs(market, id, "PUT", path, { ...count, gets, expectedVersion: null });
  await callAs(market, id, "POST", `${path}/${shortages[0].id}/settle`, { expectedVersion: shortages[0].version });
  await market.ask("doHeldActions");
}

const people = (count: number) => Array.from({ length: count }, (_, place) => ({ name: `Pat ${place + 1}` }));
const box = (page: Page, name: string) => page.getByRole("checkbox", { name: new RegExp(`, ${name} \\w+, `) });
const price = async (page: Page) => {
  const label = await page.getByRole("checkbox").first().getAttribute("aria-label");
  return Number(label!.match(/\$([\d.]+)$/)![1]);
};
const dollars = (amount: number) => amount.toLocaleString("en-US", { style: "currency", currency: "USD" });

test("money at the door: forty payments with five exceptions are recorded in seven clicks, and one that was wrong is undone", async ({
  page,
  market,
}) => {
  await openDoor(page, market, people(40), { drivers: 2 });
  const each = await price(page);
  await page.evaluate(() => {
    const counted = window as unknown as { acts: number };
    counted.acts = 0;
    for (const name of ["click", "keydown"])
      addEventListener(
        name,
        (event) => {
          // A click that a label passes on to its checkbox is the same click.
          if (event.isTrusted) counted.acts += 1;
        },
        { capture: true },
      );
  });
  await page.getByRole("button", { name: "Tick all 40", exact: true }).click();
  for (const number of [3, 9, 21, 22, 40]) await box(page, `Pat ${number}`).click();
  await page.getByRole("button", { name: `Record 35 payments, ${dollars(each * 35)}`, exact: true }).click();
  await expect(page.getByText(`${dollars(each * 35)} of ${dollars(each * 40)} collected`)).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { acts: number }).acts)).toBe(7);

  const first = page.getByRole("region", { name: "Driver 1" });
  await expect(first).toContainText(`${dollars(each * 18)} of ${dollars(each * 20)} collected`);
  await expect(first.getByText(`Owes ${dollars(each)}`)).toHaveCount(2);
  await expect(page.getByRole("checkbox")).toHaveCount(5);
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
  const paid = first.getByRole("listitem").filter({ hasText: /Pat 1 [A-Z]/ });
  await expect(paid).toContainText("Ada Kowalski");

  await paid.getByRole("button", { name: /^Undo the payment of Tote 1, Pat 1 / }).click();
  await expect(box(page, "Pat 1")).not.toBeChecked();
  await expect(box(page, "Pat 1")).toBeFocused();
  await expect(first).toContainText(`${dollars(each * 17)} of ${dollars(each * 20)} collected`);
  await page.reload();
  await expect(page.getByRole("checkbox")).toHaveCount(6);
});

test("money at the door: ticks survive a reload; a box that someone else records loses its tick, and the sum changes before anything is recorded", async ({
  page,
  market,
}) => {
  const day = await openDoor(page, market, [{ name: "Anna" }, { name: "Bo" }, { name: "Cleo" }]);
  const each = await price(page);
  await page.getByRole("button", { name: "Tick all 3", exact: true }).click();
  await box(page, "Cleo").uncheck();
  await page.reload();
  const record = page.getByRole("button", { name: /^Record / });
  await expect(record).toHaveText(`Record 2 payments, ${dollars(each * 2)}`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();

  await recordElsewhere(market, day, { orderIds: [day.orders[1]!], amount: each });
  await expect(page.getByRole("status").filter({ hasText: "recorded by Bo Lindgren" })).toContainText(
    "A box that you had ticked is not ticked any more.",
  );
  await expect(record).toHaveText(`Record 1 payment, ${dollars(each)}`);
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page.getByText("is not ticked any more.")).toHaveCount(0);
  await record.click();
  await expect(page.getByText(`${dollars(each * 2)} of ${dollars(each * 3)} collected`).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("checkbox")).toHaveCount(1);
  await expect(record).toHaveCount(0);
});

test("money at the door: what someone else records while the page knows nothing of it is refused by name, with the new sum to record", async ({
  page,
  market,
}) => {
  const day = await openDoor(page, market, [{ name: "Anna" }, { name: "Bo" }]);
  const each = await price(page);
  const address = `**/api/admin/hubs/${day.hub}/days/${day.date}/door`;
  const old = await (await page.request.get(address.replace("**", market.address))).json();
  await page.route(address, (route) => route.fulfill({ json: old }));
  await page.getByRole("button", { name: "Tick all 2", exact: true }).click();
  await recordElsewhere(market, day, { orderIds: [day.orders[1]!], amount: each });
  await page.getByRole("button", { name: `Record 2 payments, ${dollars(each * 2)}`, exact: true }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    /^Tote 2 \(Bo .+\) was recorded by Bo Lindgren in the meantime\./,
  );
  await page.unroute(address);
  await page.getByRole("button", { name: `Record 1 payment, ${dollars(each)}`, exact: true }).click();
  await expect(page.getByText(`All ${dollars(each * 2)} collected`)).toBeVisible();
});

test("money at the door: a box that is refused is named by its tote, and the others are recorded in two clicks", async ({
  page,
  market,
}) => {
  const day = await openDoor(page, market, [{ name: "Anna" }, { name: "Bo" }, { name: "Cleo" }]);
  const each = await price(page);
  // The page does not learn of the cancellation.
  const address = `**/api/admin/hubs/${day.hub}/days/${day.date}/door`;
  const old = await (await page.request.get(address.replace("**", market.address))).json();
  await page.route(address, (route) => route.fulfill({ json: old }));
  await page.getByRole("button", { name: "Tick all 3", exact: true }).click();
  await market.ask("cancelFrozen", { id: day.orders[1]! });
  await page.getByRole("button", { name: `Record 3 payments, ${dollars(each * 3)}`, exact: true }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    /Tote 2, Bo \w+: This order is cancelled\..*Nothing was recorded\./s,
  );
  await page.getByRole("button", { name: "Untick it", exact: true }).click();
  await expect(box(page, "Bo")).not.toBeChecked();
  await page.unroute(address);
  await page.getByRole("button", { name: `Record 2 payments, ${dollars(each * 2)}`, exact: true }).click();
  await expect(page.getByText(`All ${dollars(each * 2)} collected`)).toBeVisible();
});

test("money at the door: payments whose answer was lost are shown as one’s own; those whose request was lost are sent again with the same key", async ({
  page,
  market,
}) => {
  await openDoor(page, market, [{ name: "Anna" }, { name: "Bo" }, { name: "Cleo" }]);
  const each = await price(page);
  const keys: (string | undefined)[] = [];
  let arrives = false;
  let isLost = true;
  await page.route("**/door/payments", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (arrives) await route.fetch();
    if (isLost) return route.abort();
    return route.continue();
  });
  await box(page, "Anna").check();
  const record = page.getByRole("button", { name: `Record 1 payment, ${dollars(each)}`, exact: true });
  await record.click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("We don’t know whether the payments were recorded.");
  isLost = false;
  await record.click();
  await expect(page.getByText(`${dollars(each)} of ${dollars(each * 3)} collected`).first()).toBeVisible();
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);

  arrives = true;
  isLost = true;
  await box(page, "Bo").check();
  await record.click();
  await expect(page.getByRole("status").filter({ hasText: "recorded by you" })).toBeVisible();
  await expect(record).toHaveCount(0);
  await expect(page.getByText(`${dollars(each * 2)} of ${dollars(each * 3)} collected`).first()).toBeVisible();
  // There is nothing to try again.
  await expect(alert).toHaveCount(0);
});

test("money at the door: a ticked box whose amount someone else lowers keeps its tick, and both amounts are named beside the new sum", async ({
  page,
  market,
}) => {
  const day = await openDoor(page, market, [{ name: "Anna" }, { name: "Bo", quantity: 2 }]);
  const amountOf = async (name: string) =>
    Number((await box(page, name).getAttribute("aria-label"))!.match(/\$([\d.]+)$/)![1]);
  await page.getByRole("button", { name: "Tick all 2", exact: true }).click();
  const was = await amountOf("Bo");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await shortElsewhere(market, day, day.orders[1]!);
  const note = page
    .getByRole("status")
    .filter({ hasText: /^The amount of a box that you have ticked changed\.Tote 2, Bo / });
  await expect(note).toContainText(`now, was ${dollars(was)}.`);
  const now = await amountOf("Bo");
  expect(now).toBeLessThan(was);
  await expect(note).toContainText(`${dollars(now)} now, was ${dollars(was)}.`);
  await expect(box(page, "Bo")).toBeChecked();
  await page.getByRole("button", { name: "OK", exact: true }).click();
  await expect(note).toHaveCount(0);
  const all = (await amountOf("Anna")) + now;
  await page.getByRole("button", { name: `Record 2 payments, ${dollars(all)}`, exact: true }).click();
  await expect(page.getByText(`All ${dollars(all)} collected`)).toBeVisible();
});

test("money at the door: when someone else records the box that has the focus, the next one has it", async ({
  page,
  market,
}) => {
  const day = await openDoor(page, market, people(4), { drivers: 2 });
  const each = await price(page);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await box(page, "Pat 2").focus();
  await recordElsewhere(market, day, { orderIds: [day.orders[1]!], amount: each });
  await expect(box(page, "Pat 3")).toBeFocused();
  await recordElsewhere(market, day, { orderIds: [day.orders[2]!, day.orders[3]!], amount: each * 2 });
  await expect(box(page, "Pat 1")).toBeFocused();
});

test("money at the door: two undone at the same time are both to collect, in whatever order the answers arrive", async ({
  page,
  market,
}) => {
  const day = await openDoor(page, market, [{ name: "Anna" }, { name: "Bo" }, { name: "Cleo" }]);
  const each = await price(page);
  await recordElsewhere(market, day, { orderIds: day.orders, amount: each * 3 });
  const answers: (() => void)[] = [];
  await page.route("**/door/payments/undo", async (route) => {
    const response = await route.fetch();
    await new Promise<void>((done) => {
      answers.push(done);
    });
    await route.fulfill({ response });
  });
  const undo = (name: string) =>
    page.getByRole("button", { name: new RegExp(`^Undo the payment of Tote \\d, ${name} `) });
  await undo("Anna").click();
  await expect.poll(() => answers.length).toBe(1);
  await undo("Bo").click();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!();
  await expect(box(page, "Bo")).toBeVisible();
  const isAnswered = page.waitForResponse("**/door/payments/undo");
  answers[0]!();
  await isAnswered;
  await expect(page.getByRole("button", { name: "Undoing…" })).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(2);
});

test("money at the door: J, K and Space tick, Shift with a click ticks a range, Ctrl A ticks all", async ({
  page,
  market,
}) => {
  await openDoor(page, market, people(6), { drivers: 2 });
  const each = await price(page);
  await page.keyboard.press("j");
  await expect(box(page, "Pat 1")).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  // On to the next driver's list.
  await page.keyboard.press("j");
  await expect(box(page, "Pat 4")).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("k");
  await expect(box(page, "Pat 3")).toBeFocused();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await page.getByText(/^Pat 4 /).click();
  await page.getByText(/^Pat 6 /).click({ modifiers: ["Shift"] });
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(4);
  await expect(page.getByRole("region", { name: "Driver 2" })).toContainText(`${dollars(each * 3)} ticked`);
  await page.keyboard.press("ControlOrMeta+a");
  await expect(page.getByRole("button", { name: /^Record 6 payments/ })).toBeVisible();
  await page.getByRole("button", { name: "Clear all ticks" }).click();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
});

test("money at the door: a declined card and a pickup point are marked, names are text, and nothing is inaccessible in light, dark and on a phone", async ({
  page,
  market,
}) => {
  await openDoor(page, market, [
    { name: `Anna ${MARKUP}` },
    { name: "Bo", pays: "declined" },
    { name: "Cleo", isPickup: true },
    { name: "Dora", quantity: 3 },
  ]);
  const driver = page.getByRole("region", { name: "Driver 1" });
  await expect(driver.getByRole("listitem")).toHaveCount(3);
  await expect(driver.getByRole("listitem").nth(1)).toContainText("Card declined");
  await expect(page.getByRole("region", { name: "Pickup: Depot 1" })).toContainText("Cleo");
  await expect(page.getByText(`Anna ${MARKUP}`)).toBeVisible();
  await expect(page.getByRole("main").locator("img")).toHaveCount(0);
  await driver.getByRole("button", { name: "Tick all 3 of Driver 1" }).click();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Record 3 payments/ }).click();
  await expect(driver.getByRole("button", { name: /^Undo the payment of Tote 1/ })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "light" });
  await expectContrast(page);
  // Rows and controls for a thumb, and no sideways scrolling.
  for (const row of await driver.getByRole("listitem").all())
    expect((await row.boundingBox())!.height).toBeGreaterThanOrEqual(66);
  const undo = await driver.getByRole("button", { name: /^Undo the payment of Tote 1/ }).boundingBox();
  expect(undo!.height).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("money at the door: before the cutoff it says when money is recorded; without a box to collect it says so; a wrong date leads to the days near it", async ({
  page,
  market,
}) => {
  const day = await openDoor(page, market, [{ name: "Anna" }], { isClosed: false });
  await expect(page.getByRole("heading", { name: "Money is recorded once the orders have closed" })).toBeVisible();
  await expect(page.getByText(/from 1 box so far$/)).toBeVisible();
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await page.goto(`/admin/days/${day.hub}/2025-01-01/door`);
  await expect(page.getByRole("heading", { level: 1, name: "No such delivery day" })).toBeVisible();
  await page.getByRole("main").getByRole("list").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Money at the door" })).toBeVisible();
});

test("money at the door: a day that did not load says so and is tried again; another market’s day is not shown", async ({
  page,
  market,
}) => {
  const other = await market.ask("deliveryDay", {
    orders: [{ name: "Zoe", quantity: 1 }],
    vendor: "Cluck & Co.",
    product: "Eggs",
    isClosed: true,
  });
  const own = await market.ask("deliveryDay", { orders: [], vendor: "Cluck & Co.", product: "Eggs", isClosed: true });
  const { id } = await market.ask("staff", { ...newStaff(), role: "depot_lead", hubId: own.hubId });
  await beStaff(page, market, id);
  await page.route("**/days/*/door", (route) => route.fulfill({ status: 500, json: ["The server failed.", {}] }));
  await page.goto(`/admin/days/${own.hub}/${own.date}/door`);
  await expect(page.getByText("Money at the door did not load")).toBeVisible();
  await page.unroute("**/days/*/door");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Nothing to collect at the door" })).toBeVisible();
  await page.goto(`/admin/days/${other.hub}/${other.date}/door`);
  await expect(page.getByRole("heading", { level: 1, name: "You can’t see the money of this day" })).toBeVisible();
  await expectAccessible(page);
});
