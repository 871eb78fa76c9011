import { addDays, calendarDate } from "@marketday/domain/calendar-date";

import { expect, test } from "./lib/admin.ts";
import { expectAccessible } from "./lib/axe.ts";
import { expectLayout } from "./lib/layout.ts";
import { holdAnswer } from "./lib/orders.ts";
import {
  beSomeone,
  countOf,
  dollars,
  notice,
  openPayouts,
  owedVendor,
  panelOf,
  payButton,
  payByApi,
  payoutsWith,
  PHONE,
  readDue,
  rowOf,
} from "./lib/payouts.ts";

const DUE = /\/api\/admin\/payouts\/due$/;

test("payouts: amounts that change while the confirmation is open are not booked; the new ones are shown, and then paid", async ({
  page,
  market,
}) => {
  const vendor = await openPayouts(page, market);
  const before = await readDue(page, market);
  // The list does not hear of it before it is sent.
  const isSent = Promise.withResolvers<void>();
  await page.route(DUE, async (route) => {
    await isSent.promise;
    await route.continue();
  });
  await payButton(page).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(dollars(before.total));
  const other = await owedVendor(market);
  const answered = page.waitForResponse(
    (response) => response.request().method() === "POST" && response.url().endsWith("/api/admin/payouts"),
  );
  await dialog.getByRole("button", { name: `Pay ${dollars(before.total)}`, exact: true }).click();
  expect((await answered).status()).toBe(409);
  isSent.resolve();
  const now = await readDue(page, market);
  const words = `${dollars(before.total)} was shown, and ${dollars(now.total)} to ${countOf(now.vendors)} is owed now.`;
  const alert = dialog.getByRole("alert").filter({ hasText: words });
  await expect(alert).toBeFocused();
  await expect(alert).toContainText("Nothing was booked.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Show the new amounts" }).click();
  await expect(dialog.getByText(`This books ${dollars(now.total)}`)).toBeFocused();
  await dialog.getByRole("button", { name: `Pay ${dollars(now.total)}`, exact: true }).click();
  await expect(notice(page)).toContainText(dollars(now.total));
  for (const { name } of [vendor, other]) await expect(rowOf(page, name)).toHaveCount(0);
});

test("payouts: new amounts that don’t load after a refusal are loaded by Try again", async ({ page, market }) => {
  await openPayouts(page, market);
  await page.route(DUE, (route) => route.fulfill({ status: 400, json: ["It was too late.", {}] }));
  await payButton(page).click();
  const dialog = page.getByRole("dialog");
  await owedVendor(market);
  await dialog.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(dialog.getByRole("alert").filter({ hasText: "they didn’t load. Nothing was booked." })).toBeFocused();
  await expect(dialog.getByText("was shown")).toHaveCount(0);
  await page.unroute(DUE);
  await dialog.getByRole("button", { name: "Try again" }).click();
  const now = await readDue(page, market);
  const words = `${dollars(now.total)} to ${countOf(now.vendors)} is owed now.`;
  await expect(dialog.getByRole("alert").filter({ hasText: words })).toContainText("Nothing was booked.");
  await expect(dialog.getByRole("button", { name: "Show the new amounts" })).toBeVisible();
});

test("payouts: a confirmation stays until the answer is here; after a lost one the same payment is sent again, and vendors are paid once", async ({
  page,
  market,
}) => {
  const vendor = await openPayouts(page, market);
  const due = await readDue(page, market);
  const held = await holdAnswer(page, "/admin/payouts", { lost: true });
  await payButton(page).click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: `Pay ${dollars(due.total)}`, exact: true });
  await confirm.click();
  expect(await held.answered).toBe(200);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const notNow = dialog.getByRole("button", { name: "Not now" });
  await expect(notNow).toBeDisabled();
  await notNow.click({ force: true });
  await dialog.getByRole("button", { name: "Close" }).click({ force: true });
  await expect(dialog).toBeVisible();
  held.release();
  const unknown = dialog.getByRole("alert").filter({ hasText: "we don’t know whether it was booked" });
  await expect(unknown).toBeVisible();
  // The list behind it is read again: they are no longer owed.
  await expect(page.getByRole("row", { name: new RegExp(vendor.name), includeHidden: true })).toHaveCount(0);
  await expect(unknown).toBeVisible();
  await confirm.click();
  await expect(notice(page)).toContainText(`${dollars(due.total)} to ${countOf(due.vendors)}`);
  const payouts = await payoutsWith(page, market, vendor.id);
  expect(payouts).toHaveLength(1);
  await expect(notice(page)).toContainText(`Payout ${payouts[0]} is booked`);
});

test("payouts: a proxy’s 502 for a payment that was booked is no refusal: the same is sent again, and vendors are paid once", async ({
  page,
  market,
}) => {
  const vendor = await openPayouts(page, market);
  const due = await readDue(page, market);
  await page.route(
    "**/api/admin/payouts",
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" });
    },
    { times: 1 },
  );
  await payButton(page).click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: `Pay ${dollars(due.total)}`, exact: true });
  await confirm.click();
  await expect(dialog.getByRole("alert").filter({ hasText: "we don’t know whether it was booked" })).toBeVisible();
  await confirm.click();
  const payouts = await payoutsWith(page, market, vendor.id);
  await expect(notice(page)).toContainText(`Payout ${payouts[0]} is booked`);
  expect(await payoutsWith(page, market, vendor.id)).toHaveLength(1);

  await page.goto(`/admin/payouts/vendors/${vendor.id}?to=${due.to}`);
  await expect(panelOf(page, "Statement")).toContainText("Paid up to");
  await page.getByRole("link", { name: "Paid", exact: true }).click();
  await expect(page).toHaveURL(`/admin/payouts/paid?to=${due.to}`);
});

test("payouts: a payout that someone else books while the confirmation is open is named there, with what is owed now", async ({
  page,
  market,
}) => {
  const vendor = await openPayouts(page, market);
  await payButton(page).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: /^Pay \$/ })).toBeVisible();
  const { payout } = await payByApi(page, market);
  const alert = dialog.getByRole("alert").filter({ hasText: `Payout ${payout} was booked meanwhile` });
  await expect(alert).toContainText("nothing is owed now");
  await expect(alert).not.toContainText("Nothing was booked");
  await expect(dialog.getByRole("button", { name: /^Pay \$/ })).toHaveCount(0);
  await expectAccessible(page);
  await expectLayout(page, PHONE);
  await alert.getByRole("link", { name: `Open payout ${payout}`, exact: true }).click();
  await expect(panelOf(page, `Payout ${payout}`)).toContainText(vendor.name);
  await expect(dialog).toHaveCount(0);
});

test("payouts: a day that is typed is read when Enter is pressed, and none that is half typed", async ({
  page,
  market,
}) => {
  const vendor = await openPayouts(page, market);
  const { to } = await readDue(page, market);
  const day = addDays(calendarDate(to), -1);
  const [year, month, date] = day.split("-");
  const read = new Set<string | null>();
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/admin/payouts/due") read.add(searchParams.get("to"));
  });
  const field = page.getByLabel("Deliveries up to");
  await field.focus();
  await page.keyboard.type(`${month}${date}${year}`);
  await expect(field).toHaveValue(day);
  await expect(page).toHaveURL("/admin/payouts");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/admin/payouts?to=${day}`);
  await expect(rowOf(page, vendor.name)).toBeVisible();
  // A part of it is taken out.
  await page.keyboard.press("Backspace");
  await field.blur();
  await expect(field).toHaveAccessibleDescription(/Give the whole date/);
  await expect(page).toHaveURL(`/admin/payouts?to=${day}`);
  expect([...read].filter((one) => one !== null && one !== day)).toEqual([]);
});

test("payouts: a reversal whose answer was lost is sent again, and the part is reversed once", async ({
  page,
  market,
}) => {
  const vendor = await owedVendor(market);
  await beSomeone(page, market);
  const { payout } = await payByApi(page, market);
  await page.goto(`/admin/payouts/paid/${payout}`);
  const part = panelOf(page, `Payout ${payout}`).getByRole("listitem").filter({ hasText: vendor.name });
  await part.getByRole("button", { name: `Reverse the part of ${vendor.name}`, exact: true }).click();
  const held = await holdAnswer(page, `/admin/payouts/${payout}/vendors/${vendor.id}/reverse`, { lost: true });
  const reason = part.getByLabel("Reason");
  await reason.fill("Account closed");
  await reason.press("Enter");
  expect(await held.answered).toBe(200);
  await reason.press("Escape");
  await expect(part.getByRole("button", { name: "Cancel" })).toBeDisabled();
  held.release();
  await expect(part.getByRole("alert").filter({ hasText: "we don’t know whether it was reversed" })).toBeVisible();
  await expect(part.getByText("Account closed", { exact: true })).toBeVisible();
  const owed = async () => (await readDue(page, market)).lines.find((line) => line.vendor.id === vendor.id)?.due;
  const once = await owed();
  await reason.press("Enter");
  await expect(page.getByText(`${dollars(once!)} to ${vendor.name} is owed again`).first()).toBeVisible();
  await expect(reason).toHaveCount(0);
  expect(await owed()).toBe(once);
});

test("payouts: on a phone the confirmation, the notice and the form of a reversal cut nothing", async ({
  page,
  market,
}) => {
  const vendor = await openPayouts(page, market);
  await payButton(page).click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: /^Pay \$/ });
  await expect(confirm).toBeVisible();
  await expectLayout(page, PHONE);
  await confirm.click();
  await expect(notice(page)).toBeVisible();
  await expectLayout(page, PHONE);
  await notice(page)
    .getByRole("link", { name: /^Open payout \d+$/ })
    .click();
  const part = page
    .getByRole("list", { name: "Parts of the payout" })
    .getByRole("listitem")
    .filter({ hasText: vendor.name });
  await part.getByRole("button", { name: `Reverse the part of ${vendor.name}`, exact: true }).click();
  await expect(part.getByLabel("Reason")).toBeFocused();
  await expectLayout(page, PHONE);
});
