import { beStaff, expect, newStaff, type Page, type TestMarket } from "./admin.ts";

export const MARKUP = '<img src=x onerror="alert(1)">';
export const EGGS = "Pasture Eggs";

/** A closed day of four boxes with twelve dozens of eggs, and bread, opened by a manager. */
export async function openDay(page: Page, market: TestMarket, { isClosed = true, path = "/shorts" } = {}) {
  const day = await market.ask("placedDay", {
    vendor: `Cluck & Co. ${MARKUP}`,
    products: [
      { title: EGGS, priceCents: 700, inventory: 20 },
      { title: `Rye ${MARKUP}`, priceCents: 500 },
    ],
    boxes: [
      { name: `Priya ${MARKUP}`, quantities: [4, 2] },
      { name: "Ben", quantities: [3, 0], creditCents: 10_000 },
      { name: "Flora", quantities: [3, 1] },
      { name: "Walt", quantities: [2, 1] },
    ],
    isClosed,
  });
  const person = newStaff();
  const { id } = await market.ask("staff", { ...person, role: "manager" });
  await beStaff(page, market, id);
  await page.goto(`/admin/days/${day.hub}/${day.date}${path}`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  return { ...day, person };
}

/** Adds a shortage, as "eggs 9", and goes to its button. */
export async function add(page: Page, text: string) {
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("combobox", { name: "Item, and how many came" }).fill(text);
  await page.keyboard.press("Enter");
}

export const came = (page: Page) => page.getByRole("textbox", { name: "Units that came" });
export const settle = (page: Page) => page.getByRole("button", { name: /^Settle, refund \$[\d.]+/ });
export const boxes = (page: Page) => page.getByRole("table", { name: "Boxes with this item" });
export const row = (page: Page, name: string) => boxes(page).getByRole("row", { name: new RegExp(name) });
/** Cents of all orders. */
export const totalOf = async (market: TestMarket, orders: readonly number[]) =>
  (await Promise.all(orders.map((id) => market.ask("order", { id })))).reduce(
    (sum, { orderTotalCents }) => sum + orderTotalCents,
    0,
  );
export const unitsOf = async (market: TestMarket, orders: readonly number[]) =>
  Promise.all(
    orders.map(
      async (id) => (await market.ask("order", { id })).items.find(({ title }) => title === EGGS)?.quantity ?? 0,
    ),
  );
