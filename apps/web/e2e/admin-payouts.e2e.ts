import { readFile } from "node:fs/promises";

import { expect, forgetStepUp, pressInTurn, test } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { expectLayout } from "./lib/layout.ts";
import {
  beSomeone,
  countOf,
  dollars,
  type Due,
  listOf,
  notice,
  owedVendor,
  panelOf,
  payButton,
  payByApi,
  PHONE,
  readDue,
  rowOf,
} from "./lib/payouts.ts";

test("payouts: a vendor’s statement is read and all vendors are paid by keyboard alone, and the file for the bank has the vendor", async ({
  page,
  market,
}) => {
  const vendor = await owedVendor(market);
  await beSomeone(page, market);
  const due = await readDue(page, market);
  const owed = due.lines.find(({ vendor: { id } }) => id === vendor.id)!.due;
  await page.goto("/admin");
  await expect(page.getByRole("heading", { level: 1, name: "Today", exact: true })).toBeVisible();
  await pressInTurn(page, "g", "y");
  await expect(page.getByRole("heading", { level: 1, name: "Payouts", exact: true })).toBeVisible();
  const row = rowOf(page, vendor.name);
  await expect(row).toContainText(dollars(owed));
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);

  // To the rows by Tab, to the vendor by arrows.
  const first = listOf(page).getByRole("row").nth(1);
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(first).toBeFocused({ timeout: 100 });
  }).toPass();
  for (let step = 0; step < due.lines.length && !(await row.evaluate((one) => one === document.activeElement)); step++)
    await page.keyboard.press("ArrowDown");
  await expect(row).toBeFocused();
  await page.keyboard.press("Enter");
  const statement = panelOf(page, "Statement");
  await expect(statement.getByRole("heading", { name: vendor.name, exact: true })).toBeFocused();
  await expect(statement).toContainText("Honeycrisp Apples");
  await expect(statement).toContainText("3 items in 1 order");
  await expect(statement).toContainText("All deliveries up to");
  await expect(page).toHaveURL(`/admin/payouts/vendors/${vendor.id}`);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(row).toBeFocused();

  await page.keyboard.press("Tab");
  await expect(payButton(page)).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Pay ${countOf(due.vendors)}`, exact: true });
  await expect(dialog).toContainText(`This books ${dollars(due.total)} as paid to ${countOf(due.vendors)}`);
  await expectAccessible(page);
  const confirm = dialog.getByRole("button", { name: `Pay ${dollars(due.total)}`, exact: true });
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(confirm).toBeFocused({ timeout: 100 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(notice(page)).toContainText(`${dollars(due.total)} to ${countOf(due.vendors)}`);
  await expect(notice(page)).toBeFocused();
  await expect(row).toHaveCount(0);

  await page.keyboard.press("Tab");
  const file = notice(page).getByRole("link", { name: "Download bank file" });
  await expect(file).toBeFocused();
  const downloading = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const text = await readFile(await (await downloading).path(), "utf8");
  expect(text).toContain(vendor.name);
  expect(text).toContain(owed.toFixed(2));
});

test("payouts: without a fresh proof of identity the step-up opens with the amount, and Not now pays no one", async ({
  page,
  market,
}) => {
  const vendor = await owedVendor(market);
  const { email } = await beSomeone(page, market);
  await forgetStepUp(page, market, email);
  await page.goto("/admin/payouts");
  await expect(rowOf(page, vendor.name)).toBeVisible();
  await page.keyboard.press("p");
  const title = (await page.getByRole("dialog").getByRole("heading").textContent())!;
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Pay \$/ })
    .click();
  const sheet = page.getByRole("dialog").filter({ hasText: "It is recorded in the audit log" });
  await expect(sheet.getByRole("heading", { name: title, exact: true })).toBeVisible();
  await sheet.getByRole("button", { name: "Not now" }).click();
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(payButton(page)).toBeFocused();
  await expect(rowOf(page, vendor.name)).toBeVisible();
});

test("payouts: a part is reversed with a reason that survives a lost request, and the vendor is owed again", async ({
  page,
  market,
}) => {
  const vendor = await owedVendor(market);
  const { name } = await beSomeone(page, market);
  const { payout } = await payByApi(page, market);
  await page.goto("/admin/payouts/paid");
  const row = page
    .getByRole("table", { name: "Booked payouts" })
    .getByRole("row")
    .filter({ hasText: new RegExp(`^Payout ${payout}(?!\\d)`) });
  await row.click();
  await expect(page).toHaveURL(`/admin/payouts/paid/${payout}`);
  const panel = panelOf(page, `Payout ${payout}`);
  const part = panel.getByRole("listitem").filter({ hasText: vendor.name });
  await part.getByRole("button", { name: `Reverse the part of ${vendor.name}`, exact: true }).click();
  const reason = part.getByLabel("Reason");
  await expect(reason).toBeFocused();
  await expectAccessible(page);
  await reason.press("Enter");
  await expect(reason).toHaveAccessibleDescription(/Give a reason/);
  await reason.fill("Account closed");
  await page.route("**/reverse", (route) => route.abort(), { times: 1 });
  await reason.press("Enter");
  await expect(part.getByRole("alert").filter({ hasText: "we don’t know whether it was reversed" })).toBeVisible();
  await page.reload();
  await part.getByRole("button", { name: `Reverse the part of ${vendor.name}`, exact: true }).click();
  await expect(reason).toHaveValue("Account closed");
  await reason.press("Enter");
  await expect(part).toContainText("Account closed");
  await expect(part).toContainText(`by ${name}`);
  await expect(part.getByRole("button")).toHaveCount(0);
  await expect(part).toBeFocused();
  await page.getByRole("link", { name: /^To pay/ }).click();
  await expect(rowOf(page, vendor.name)).toBeVisible();
});

test("payouts: a manager sees what is owed and was paid, and can neither pay nor reverse", async ({ page, market }) => {
  const vendor = await owedVendor(market);
  await beSomeone(page, market);
  await payByApi(page, market);
  const other = await owedVendor(market);
  await beSomeone(page, market, "manager");
  await page.goto("/admin/payouts");
  await expect(rowOf(page, other.name)).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  await page.getByRole("link", { name: "Paid", exact: true }).click();
  await page.getByRole("table", { name: "Booked payouts" }).getByRole("row").nth(1).click();
  const panel = panelOf(page, /^Payout \d+$/);
  await expect(panel.getByRole("listitem").filter({ hasText: vendor.name })).toBeVisible();
  await expect(panel.getByRole("button", { name: /^Reverse/ })).toHaveCount(0);
});

test("payouts: a hub lead sees neither the screen nor its entry", async ({ page, market }) => {
  await beSomeone(page, market, "hub_lead");
  await page.goto("/admin");
  await expect(page.getByRole("heading", { level: 1, name: "Today", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Payouts", exact: true })).toHaveCount(0);
  await page.goto("/admin/payouts");
  await expect(
    page.getByRole("heading", { level: 1, name: "Nothing here for your role yet", exact: true }),
  ).toBeVisible();
});

test("payouts: a list that failed is read again, nothing owed leads to the last payout, and a phone cuts nothing", async ({
  page,
  market,
}) => {
  const vendor = await owedVendor(market);
  await beSomeone(page, market);
  await page.route(/\/payouts\/due$/, (route) => route.fulfill({ status: 400, json: ["It was too late.", {}] }));
  await page.goto("/admin/payouts");
  await expect(page.getByText("What is owed didn’t load.")).toBeVisible();
  await page.unroute(/\/payouts\/due$/);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(rowOf(page, vendor.name)).toBeVisible();
  await expectLayout(page, PHONE);
  await page.goto(`/admin/payouts/vendors/${vendor.id}`);
  await expect(page.getByText("Honeycrisp Apples")).toBeVisible();
  await expectLayout(page, PHONE);

  const { payout } = await payByApi(page, market);
  await page.goto(`/admin/payouts/paid/${payout}`);
  await expect(page.getByRole("list", { name: "Parts of the payout" })).toContainText(vendor.name);
  await expectLayout(page, PHONE);
  // Other tests may leave a vendor who was paid too much.
  await page.route(/\/payouts\/due$/, async (route) => {
    const answer = (await (await route.fetch()).json()) as Due;
    await route.fulfill({ json: { ...answer, lines: [], vendors: 0, total: 0 } });
  });
  await page.goto("/admin/payouts");
  await expect(page.getByText("Nothing is owed to vendors", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: `Open payout ${payout}`, exact: true }).click();
  await expect(panelOf(page, `Payout ${payout}`)).toBeVisible();
});
