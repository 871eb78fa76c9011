import type { Locator } from "@playwright/test";

import { appCode } from "../../server/test/app-code.ts";
import { keepCodes, newStaff, endStaffSessions, forgetStepUp } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { expect, type Page, test } from "./lib/fixtures.ts";

// The market's address is an IP address here, where browsers have no passkeys.

const PASSWORD = "seven wheelbarrows in a row";
/** A code of the app counts once, so the next one is of the next half minute, which the server accepts already. */
const NEXT_MS = 30_000;

const nextCode = (secret: string) => appCode(secret, new Date(Date.now() + NEXT_MS));
const refusal = (page: Page) => page.getByRole("alert").filter({ hasText: /\w/ });

interface Submit {
  /** Makes the code of the moment. */
  code: () => string;
  /** The button that sends it. */
  button: Locator;
  /** What is on screen once the code was accepted. */
  done: Locator;
}
/** Sends a code, and another one when it was too old on arrival: on a slow machine half a minute can pass in between. */
async function submitCode(page: Page, { code, button, done }: Submit): Promise<void> {
  await expect(async () => {
    if (await done.isVisible()) return;
    await page.getByLabel("Code from your app").fill(code(), { timeout: 5000 });
    await button.click({ timeout: 5000 });
    await expect(done.or(refusal(page)).first()).toBeVisible();
    expect(await done.isVisible()).toBe(true);
  }).toPass();
}

/** Opens an invitation and sets up a password with an app. @returns the app's secret */
async function setUpPassword(page: Page, link: string): Promise<string> {
  await page.goto(link);
  await page.getByLabel("New password").fill(PASSWORD);
  const secret = (await page.locator("code").textContent()) ?? "";
  await submitCode(page, {
    code: () => appCode(secret, new Date()),
    button: page.getByRole("button", { name: "Finish" }),
    done: page.getByRole("list", { name: "Recovery codes" }),
  });
  await keepCodes(page);
  return secret;
}

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
  await expect(refusal(page)).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("not the password");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await submitCode(page, {
    code: () => nextCode(secret),
    button: page.getByRole("button", { name: "Sign in", exact: true }),
    done: page.getByRole("heading", { level: 1, name: "Today" }),
  });
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
  await submitCode(page, {
    code: () => nextCode(secret),
    button: sheet.getByRole("button", { name: "Save roles" }),
    done: page.getByText(`Roles of ${ben.name} saved`),
  });
  await expect(sheet).toHaveCount(0);
  await expect(panel.getByRole("button", { name: "Save roles" })).toHaveCount(0);
});
