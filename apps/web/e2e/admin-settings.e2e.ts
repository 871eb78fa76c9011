import { randomUUID } from "node:crypto";

import { beStaff, expect, newStaff, test } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { expectLayout } from "./lib/layout.ts";

const PHONE = [{ width: 360, height: 780, text: 100 }] as const;

test("settings: failed work is named with its reason, and Try now does it at once instead of in an hour", async ({
  page,
  market,
}) => {
  const { id } = await market.ask("staff", { ...newStaff(), role: "owner" });
  const subject = `pass ${randomUUID()}`;
  await market.ask("failWork", { job: "wagon-passes", subject, reason: "The payment provider did not answer." });
  await beStaff(page, market, id);
  await page.goto("/admin");
  await expect(page.getByRole("heading", { level: 1, name: "Today", exact: true })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await expect(page.getByRole("heading", { level: 1, name: "Settings", exact: true })).toBeVisible();
  const row = page.getByRole("listitem").filter({ hasText: subject });
  await expect(row).toContainText("The payment provider did not answer.");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  // A pass that no one has is done with its next try.
  await row.getByRole("button", { name: `Try now: Wagon pass, ${subject}`, exact: true }).click();
  await expect(page.getByRole("paragraph").filter({ hasText: "It is tried now" })).toBeVisible();
  await page.getByRole("link", { name: "Emails", exact: true }).click();
  await expect(page.getByRole("table", { name: "Emails", exact: true })).toBeVisible();
  await page.getByRole("link", { name: /^Health/ }).click();
  await expect(row).toHaveCount(0);
});

test("settings: Check now checks at once, and the answer says when", async ({ page, market }) => {
  const { id } = await market.ask("staff", { ...newStaff(), role: "owner" });
  await beStaff(page, market, id);
  await page.goto("/admin/settings");
  const checks = page.getByRole("region", { name: "Checks", exact: true });
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/admin/settings/checks"));
  await checks.getByRole("button", { name: "Check now" }).click();
  expect((await answered).status()).toBe(200);
  await expect(checks.getByText("Checked just now.", { exact: true })).toBeVisible();
  await expect(checks.getByText(/^(?:All checks passed|\d+ checks? failed)$/)).toBeVisible();
});

test("settings: an email is shown as it looks and as text, and a test of it arrives", async ({ page, market }) => {
  const ada = newStaff();
  const { id } = await market.ask("staff", { ...ada, role: "owner" });
  await beStaff(page, market, id);
  await page.goto("/admin/settings/mails");
  await page.getByRole("row").filter({ hasText: "An order was placed" }).getByRole("link").click();
  const panel = page.getByRole("dialog");
  const preview = panel.locator("iframe");
  await expect(preview).toBeVisible();
  await expect(preview).toHaveAttribute("sandbox", "");
  await expect(panel.frameLocator("iframe").getByText("Thank you, Rosa")).toBeVisible();
  await panel.getByRole("tab", { name: "As text" }).click();
  await expect(panel.getByRole("tabpanel")).toContainText("Thank you, Rosa");
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Send me a test" }).click();
  await expect(page.getByRole("paragraph").filter({ hasText: "The test is a file on the server" })).toBeVisible();
  await expect
    .poll(async () => (await market.ask("mails", { to: ada.email })).filter((mail) => /^Subject: Test: /m.test(mail)))
    .toHaveLength(1);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
});

test("settings: the environment has every setting by its name, no secret, and nothing is cut on a phone", async ({
  page,
  market,
}) => {
  const { id } = await market.ask("staff", { ...newStaff(), role: "owner" });
  await beStaff(page, market, id);
  await page.goto("/admin/settings/environment");
  await expect(page.getByRole("term").filter({ hasText: /^SESSION_SECRET$/ })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Payment", exact: true })).toBeVisible();
  await expectAccessible(page);
  await expectLayout(page, PHONE);
  await page.goto("/admin/settings");
  await expect(page.getByRole("region", { name: "Versions" })).toBeVisible();
  await expectLayout(page, PHONE);
});

test("settings: a manager sees neither the screen nor its entries", async ({ page, market }) => {
  const { id } = await market.ask("staff", { ...newStaff(), role: "manager" });
  await beStaff(page, market, id);
  await page.goto("/admin");
  await expect(page.getByRole("heading", { level: 1, name: "Today", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Settings", exact: true })).toHaveCount(0);
  await page.goto("/admin/settings");
  await expect(
    page.getByRole("heading", { level: 1, name: "Nothing here for your role yet", exact: true }),
  ).toBeVisible();
});
