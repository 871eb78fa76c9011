import { appCode } from "../../server/test/app-code.ts";
import { keepCodes, newStaff, endStaffSessions, forgetStepUp } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { expect, type Page, test } from "./lib/fixtures.ts";

// The market's address is an IP address here, where browsers have no passkeys.

const PASSWORD = "seven wheelbarrows in a row";
/** A code of the app counts once, so the next one is of the next half minute, which the server accepts already. */
const NEXT_MS = 30_000;

/** Opens an invitation and sets up a password with an app. @returns the app's secret */
async function setUpPassword(page: Page, link: string): Promise<string> {
  await page.goto(link);
  await page.getByLabel("New password").fill(PASSWORD);
  const secret = (await page.locator("code").textContent()) ?? "";
  await page.getByLabel("Code from your app").fill(appCode(secret, new Date()));
  await page.getByRole("button", { name: "Finish" }).click();
  await keepCodes(page);
  return secret;
}
const nextCode = (secret: string) => appCode(secret, new Date(Date.now() + NEXT_MS));

test("plain http: the invitation and the sign-in say why there is no passkey, and take a password and a code", async ({
  page,
  market,
}) => {
  const ada = newStaff();
  const { link } = await market.ask("staff", { ...ada, role: "support" });
  await page.goto(link);
  await expect(page.getByText("Passkeys work only over https, and this page came over plain http.")).toBeVisible();
  await expect(page.getByRole("button", { name: "passkey" })).toHaveCount(0);
  await page.getByLabel("New password").fill("too short");
  await page.getByRole("button", { name: "Finish" }).click();
  await expect(page.getByRole("alert").getByText("Use at least 12 characters")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  const secret = await setUpPassword(page, link);

  await endStaffSessions(page, market, ada.email);
  await page.goto("/admin");
  await expect(page.getByText("Passkeys work only over https, and this page came over plain http.")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(ada.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByLabel("Code from your app").fill(nextCode(secret));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("not the password");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Code from your app").fill(nextCode(secret));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Today" })).toBeVisible();
});

test("plain http: the step-up takes the password and a new code", async ({ page, market }) => {
  const ada = newStaff();
  const ben = newStaff("Ben Ortiz");
  const { link } = await market.ask("staff", { ...ada, role: "owner" });
  const { id: benId } = await market.ask("staff", { ...ben, role: "support" });
  const secret = await setUpPassword(page, link);
  await forgetStepUp(page, market, ada.email);
  await page.goto(`/admin/staff?person=${benId}`);
  const panel = page.getByRole("dialog", { name: ben.name, exact: true });
  await panel.getByRole("checkbox", { name: "Editor" }).check();
  await panel.getByRole("button", { name: "Save roles" }).click();
  const sheet = page.getByRole("dialog", { name: `Change what ${ben.name} can do`, exact: true });
  await sheet.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await sheet.getByLabel("Code from your app").fill(nextCode(secret));
  await sheet.getByRole("button", { name: "Save roles" }).click();
  await expect(sheet).toHaveCount(0);
  await expect(panel.getByRole("button", { name: "Save roles" })).toHaveCount(0);
  await expect(panel.getByText("Ben can write posts, pages and banners in all markets.")).toBeVisible();
});
