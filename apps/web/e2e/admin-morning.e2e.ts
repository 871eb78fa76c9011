import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";

/**
 * The packing morning (docs/operating.md, "The week in the admin app"), counted in entries: a click, a press of a key or of keys that are
 * held together, and what is typed into a field at once, a word or several with their numbers, are one each.
 */

const ITEMS = ["Pasture Eggs", "Country Sourdough", "Whole Milk", "Honeycrisp Apples", "Breakfast Blend"];

/** Counts what a person does in a page. */
function countEntries(page: Page) {
  let entries = 0;
  return {
    count: () => entries,
    click: async (target: ReturnType<Page["getByRole"]>) => {
      await target.click();
      entries += 1;
    },
    press: async (key: string) => {
      await page.keyboard.press(key);
      entries += 1;
    },
    type: async (text: string) => {
      await page.keyboard.type(text);
      entries += 1;
    },
  };
}

/** A closed day of five boxes, whose sheets are printed, and its manager on the screen of the day. */
async function openMorning(page: Page, market: TestMarket) {
  const day = await market.ask("placedDay", {
    vendor: "Cluck & Co.",
    products: [...ITEMS, "Sunflower Shoots"].map((title) => ({ title, priceCents: 700 })),
    boxes: [
      { name: "Priya", quantities: [4, 3, 2, 2, 1, 0] },
      { name: "Ben", quantities: [3, 3, 2, 0, 2, 0] },
      { name: "Flora", quantities: [4, 0, 2, 2, 1, 0] },
      { name: "Walt", quantities: [0, 0, 0, 0, 0, 2] },
      { name: "Iris", quantities: [0, 0, 0, 0, 0, 1] },
    ],
    isClosed: true,
  });
  const { id } = await market.ask("staff", { ...newStaff(), role: "manager" });
  await beStaff(page, market, id);
  await page.goto(`/admin/days/${day.hub}/${day.date}`);
  await page.getByRole("button", { name: "Create sheets" }).click();
  await expect(page.getByRole("region", { name: "Version 1 is ready to print" })).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  return day;
}

const unitsOf = async (market: TestMarket, id: number) =>
  Object.fromEntries((await market.ask("order", { id })).items.map(({ title, quantity }) => [title, quantity]));

test("packing morning: five shorts, a cancelled order and new sheets that print only what changed take at most 15 clicks and keys", async ({
  page,
  market,
}) => {
  const day = await openMorning(page, market);
  const { count, click, press, type } = countEntries(page);
  const main = page.getByRole("main");

  await click(page.getByRole("navigation", { name: "Back office" }).getByRole("link", { name: /^Shorts/ }));
  await expect(page.getByRole("combobox", { name: "Item, and how many came" })).toBeFocused();
  await type("eggs 9, sourdough 5, milk 4, apples 3, blend 2");
  await press("Enter");
  const settleAll = page.getByRole("button", { name: /^Settle all 5, refund \$[\d.]+$/ });
  await expect(settleAll).toBeFocused();
  await press("Enter");
  await expect(page.getByRole("region", { name: "Settling" }).getByRole("listitem")).toHaveCount(5);
  expect(count()).toBeLessThanOrEqual(6);
  // Held: no box is lowered, and the newest of them can be undone in the toast, the others behind "and 4 more".
  await expect(page.getByRole("region", { name: "What you just did" })).toContainText("and 4 more");
  expect(await unitsOf(market, day.orders[0]!)).toMatchObject({ "Pasture Eggs": 4 });

  await press("Control+k");
  await type("tote 4");
  const palette = page.getByRole("dialog", { name: "Go to, or do" });
  await expect(palette.getByRole("option").first()).toContainText(/Tote 4, Walt/);
  await press("Enter");
  await expect(main.getByRole("heading", { name: /Walt/ })).toBeVisible();
  await expect(main.getByRole("button", { name: "Cancel order" })).toBeVisible();
  await press("c");
  await expect(page.getByLabel("Reason")).toBeFocused();
  await type("Truck broke down");
  await expect(main.getByRole("region", { name: "Cancel this order" })).toContainText(/\d emails?/);
  await press("Enter");
  await expect(page.getByText(/^Order .* is cancelled (?:in \d+ s|now)$/).first()).toBeVisible();

  await market.ask("doHeldActions");
  await expect.poll(async () => (await market.ask("order", { id: day.orders[3]! })).status).toBe("cancelled");
  await expect.poll(async () => (await unitsOf(market, day.orders[0]!))["Pasture Eggs"]).toBeLessThan(4);
  await click(main.getByRole("link", { name: "Day", exact: true }));
  const stale = page.getByRole("region", { name: "Orders changed after version 1" });
  await click(stale.getByRole("button", { name: "Make version 2" }));
  await expect(page.getByRole("region", { name: "Version 2 is ready to print" })).toBeVisible();
  const changed = page.getByRole("region", { name: "Only what changed" });
  const print = changed.getByRole("link", { name: "Print only what changed" });
  const href = await print.getAttribute("href");
  await click(print);
  expect(count()).toBeLessThanOrEqual(15);

  const pdf = await page.request.get(href!);
  expect(pdf.headers()["content-type"]).toBe("application/pdf");
  expect((await pdf.body()).subarray(0, 5).toString()).toBe("%PDF-");
  await expect(changed.getByRole("list", { name: "Changed totes" }).getByRole("listitem")).toContainText([/Tote 4/]);

  await expect(changed.getByRole("list", { name: "Changed totes" })).not.toContainText("Tote 5");

  const boxes = await Promise.all(day.orders.slice(0, 3).map((id) => unitsOf(market, id)));
  const left = ITEMS.map((title) => boxes.reduce((sum, box) => sum + (box[title] ?? 0), 0));
  expect(left).toEqual([9, 5, 4, 3, 2]);
  for (const [place, id] of day.orders.entries()) {
    const order = await market.ask("order", { id });
    expect(order.ledgerSum).toBe(0);
    const templates = await market.ask("mailTemplates", { to: order.email });
    expect(templates.filter((template) => /^order-(?:short|called-off)$/.test(template)).length > 0).toBe(place < 4);
  }
});
