import { beStaff, expect, newStaff, type Page, type TestMarket } from "./admin.ts";
import { askApi } from "./orders.ts";
import { nameOfItsOwn } from "./shopper.ts";

export const PHONE = [{ width: 360, height: 780, text: 100 }] as const;

export interface Due {
  to: string;
  lines: { vendor: { id: number; name: string }; due: number }[];
  vendors: number;
  total: number;
}
interface Booked {
  payout: number;
  vendors: number;
  total: number;
}

/** A vendor of this test alone, who is owed for a day that was delivered. */
export async function owedVendor(market: TestMarket) {
  const vendor = nameOfItsOwn("Salt Creek Orchard");
  const { vendorId } = await market.ask("placedDay", {
    vendor,
    products: [{ title: "Honeycrisp Apples", priceCents: 1250 }],
    boxes: [{ name: "Flora", quantities: [3] }],
    isClosed: true,
    daysAgo: 2,
  });
  return { name: vendor, id: vendorId };
}

/** The page's browser is that of a person of the staff. */
export async function beSomeone(page: Page, market: TestMarket, role: "owner" | "manager" | "hub_lead" = "owner") {
  const person = newStaff();
  const { id } = await market.ask("staff", { ...person, role });
  await beStaff(page, market, id);
  return person;
}

/** What is owed now. Payouts are of all markets: other tests of this market leave vendors owed too. */
export const readDue = (page: Page, market: TestMarket) => askApi<Due>(page, market, "GET", "/admin/payouts/due");
export const dollars = (amount: number) => amount.toLocaleString("en-US", { style: "currency", currency: "USD" });
export const countOf = (vendors: number) => (vendors === 1 ? "1 vendor" : `${vendors} vendors`);
/** Pays everyone, as a person elsewhere would. */
export async function payByApi(page: Page, market: TestMarket): Promise<Booked> {
  const { to, lines } = await readDue(page, market);
  const amounts = lines.filter(({ due }) => due > 0).map(({ vendor, due }) => ({ vendorId: vendor.id, amount: due }));
  return askApi<Booked>(page, market, "POST", "/admin/payouts", { to, amounts });
}

/** Those of the last three payouts in which a vendor has a part. */
export async function payoutsWith(page: Page, market: TestMarket, vendorId: number): Promise<number[]> {
  const booked = await askApi<{ id: number }[]>(page, market, "GET", "/admin/payouts?perPage=3");
  const read = booked.map(({ id }) =>
    askApi<{ id: number; parts: { vendor: { id: number } }[] }>(page, market, "GET", `/admin/payouts/${id}`),
  );
  const payouts = await Promise.all(read);
  return payouts.filter(({ parts }) => parts.some(({ vendor }) => vendor.id === vendorId)).map(({ id }) => id);
}

export const listOf = (page: Page) => page.getByRole("table", { name: "Vendors to pay", exact: true });
export const rowOf = (page: Page, name: string) => listOf(page).getByRole("row", { name: new RegExp(name) });
export const payButton = (page: Page) => page.getByRole("main").getByRole("button", { name: /^Pay \$/ });
export const panelOf = (page: Page, name: string | RegExp) => page.getByRole("region", { name, exact: true });
export const notice = (page: Page) => page.getByRole("status").filter({ hasText: /^Payout \d+ is booked/ });

/** An owner at the list of what vendors are owed, with a vendor of this test alone. */
export async function openPayouts(page: Page, market: TestMarket) {
  const vendor = await owedVendor(market);
  await beSomeone(page, market);
  await page.goto("/admin/payouts");
  await expect(rowOf(page, vendor.name)).toBeVisible();
  return vendor;
}
