import { LOGOUT_RELOAD_MS, PASSWORD_RESET_REDIRECT_MS } from "@marketday/domain/limits";

import { expectAccessible } from "./lib/axe.ts";
import { expect, openBrowser, type Page, test } from "./lib/fixtures.ts";
import { linkTo } from "./lib/mails.ts";
import { alertIn, beCustomer, beGuest, endSessions } from "./lib/shopper.ts";
import { buildIsRead, noteTimers, timerIsSet, openWithHeartbeat } from "./lib/timers.ts";

const NEW = "blue-wheelbarrow-7";
const dialogOf = (page: Page) => page.getByRole("dialog").last();

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/login");
  const dialog = dialogOf(page);
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Login to My Account" }).click();
}

test(
  "a forgotten password: the mail, the reset screen, its messages, and 4 seconds to the market",
  {
    tag: [
      "@spec:2.1-25",
      "@spec:2.4-08",
      "@spec:2.4-09",
      "@spec:4-39",
      "@spec:5-14",
      "@spec:5-16",
      "@spec:8-17",
      "@spec:8-22",
      "@spec:8-27",
      "@spec:9-19",
      "@fail:F20",
    ],
  },
  async ({ page, market }) => {
    await page.clock.install();
    const { email } = await market.ask("customer", {});
    await beGuest(page, market);
    await page.goto("/login");
    await dialogOf(page).getByRole("button", { name: "Forgot Password" }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole("button", { name: "Send me a link" }).click();
    await expect(dialog.getByText("Please enter an email address.")).toBeVisible();
    await dialog.getByLabel("Email").fill(email);
    await page.keyboard.press("Enter");
    await expect(dialog.getByText("Check your email for instructions.")).toBeVisible();
    await expectAccessible(page);

    const link = await linkTo(market, email, "/password-reset");
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1, name: "Choose a new password" })).toBeVisible();
    // The token is not in the address or the history, and survives a reload.
    await expect(page).toHaveURL(/\/password-reset$/);
    await page.reload();
    const first = page.getByLabel("New password", { exact: true });
    const second = page.getByLabel("Confirm new password");
    const button = page.getByRole("button", { name: "Reset Password" });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await first.focus();
    await first.blur();
    await expect(page.getByText("A password is required.")).toBeVisible();
    await first.fill("fives");
    await expect(page.getByText("Password must be at least 6 characters long.")).toBeVisible();
    await first.fill(NEW);
    await second.fill("something else");
    await second.blur();
    await expect(page.getByText("Passwords must match.")).toBeVisible();
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await expectAccessible(page);
    await second.fill(NEW);
    // From here on the clock is paused.
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await noteTimers(page);
    await button.click();
    await expect(page.getByText("Password successfully updated!")).toBeVisible();
    await expect(page).toHaveURL(/\/password-reset$/);
    await timerIsSet(page, PASSWORD_RESET_REDIRECT_MS);
    await page.clock.fastForward(3_900);
    await expect(page).toHaveURL(/\/password-reset$/);
    await page.clock.fastForward(1_000);
    await page.waitForURL(/\/shop$/);
    await page.clock.resume();

    await page.goto(link);
    await page.getByLabel("New password", { exact: true }).fill("another-password-9");
    await page.getByLabel("Confirm new password").fill("another-password-9");
    await button.click();
    await expect(page.getByText("Password reset link has expired")).toBeVisible();
    await page.getByRole("button", { name: "Send a new one" }).click();
    await expect(dialogOf(page).getByRole("heading", { name: "Forgot Password" })).toBeVisible();

    await logIn(page, email, NEW);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  },
);

test(
  "My Details: Save shows only for a valid change; the address has a separate form",
  { tag: ["@spec:2.1-17", "@spec:2.4-57", "@spec:5-26", "@spec:5-31", "@spec:5-32", "@spec:8-23", "@spec:8-16"] },
  async ({ page, market }) => {
    const { email } = await market.ask("customer", { address: true });
    const other = await market.ask("customer", {});
    await beCustomer(page, market, { email, password: market.customer.password });
    await page.goto("/account");
    const dialog = dialogOf(page);
    const save = dialog.getByRole("button", { name: "Save", exact: true });
    await expect(dialog.getByRole("textbox", { name: "Email", exact: true })).toHaveValue(email);
    await expect(save).toHaveCount(0);
    await dialog.getByLabel("Username").fill("");
    await dialog.getByLabel("Username").blur();
    await expect(dialog.getByText("A username is required")).toBeVisible();
    await expect(save).toHaveCount(0);
    await dialog.getByLabel("Username").fill("wagoneer");
    // Typed is kept over a reload.
    await page.reload();
    await expect(dialog.getByLabel("Username")).toHaveValue("wagoneer");
    await dialog.getByLabel("I eat vegan").check();
    // Another email needs the password; a wrong one is shown at its field, and the typed text stays.
    await dialog.getByRole("textbox", { name: "Email", exact: true }).fill(other.email);
    await expect(save).toHaveCount(0);
    const proof = dialog.getByLabel("Password to change your email");
    await proof.fill("wrong");
    await save.click();
    await expect(dialog.getByText("That is not your current password.").first()).toBeVisible();
    await expect(proof).toBeFocused();
    await proof.fill(market.customer.password);
    await save.click();
    const typed = dialog.getByRole("textbox", { name: "Email", exact: true });
    await expect(typed).toHaveAccessibleDescription("Error: Another account has this email already.");
    await expect(typed).toBeFocused();
    await dialog.getByRole("textbox", { name: "Email", exact: true }).fill("anna,miller@example.com");
    await dialog.getByRole("textbox", { name: "Email", exact: true }).blur();
    await expect(dialog.getByText("Valid email is required")).toBeVisible();
    await expect(save).toHaveCount(0);
    await dialog.getByRole("textbox", { name: "Email", exact: true }).fill(email);
    await expect(proof).toHaveCount(0);
    await save.click();
    await expect(page.getByText("Profile updated").first()).toBeVisible();
    await expect(save).toHaveCount(0);

    const update = dialog.getByRole("button", { name: "Update" });
    await expect(update).toHaveAttribute("aria-disabled", "true");
    await dialog.getByLabel("Street address").fill("");
    await expect(dialog.getByText("Address is required")).toBeVisible();
    await dialog.getByLabel("City").fill("");
    await dialog.getByLabel("Zip code").fill("4603");
    await expect(dialog.getByText("City is required")).toBeVisible();
    await expect(dialog.getByText("Must be 5 digits")).toBeVisible();
    await expect(update).toHaveAttribute("aria-disabled", "true");
    await dialog.getByLabel("Street address").fill("7 Elm Street");
    await dialog.getByLabel("City").fill("Carmel");
    await dialog.getByLabel("Zip code").fill("46033");
    // Update rests while it is saving, too: what says that it is saved is the answer.
    const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await update.click();
    expect((await saved).status()).toBe(200);
    await expect(update).toHaveAttribute("aria-disabled", "true");
    await page.goto("/profile");
    await expect(dialogOf(page).getByLabel("Street address")).toHaveValue("7 Elm Street");
    await expect(dialogOf(page).getByLabel("Username")).toHaveValue("wagoneer");
    await expect(dialogOf(page).getByLabel("I eat vegan")).toBeChecked();
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/shop$/);
  },
);

test(
  "a new password in My Details, with the current one; the other browser is logged out",
  { tag: ["@spec:5-32", "@spec:8-22", "@spec:8-16", "@fail:F6"] },
  async ({ page, browser, market }) => {
    const { email } = await market.ask("customer", {});
    const who = { email, password: market.customer.password };
    const elsewhere = await openBrowser(browser, market);
    const there = await elsewhere.newPage();
    await beCustomer(there, market, who);
    await beCustomer(page, market, who);
    await page.goto("/profile");
    const dialog = dialogOf(page);
    await expect(dialog.getByRole("listitem").filter({ hasText: "This browser" })).toHaveCount(1);
    const button = dialog.getByRole("button", { name: "Save Password" });
    await dialog.getByLabel("New password", { exact: true }).fill(NEW);
    await dialog.getByLabel("Confirm new password").fill(NEW);
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await dialog.getByLabel("Current password").fill("not this one");
    await button.click();
    const current = dialog.getByLabel("Current password");
    await expect(current).toHaveAccessibleDescription("Error: That is not your current password.");
    await expect(current).toBeFocused();
    await current.fill(market.customer.password);
    await button.click();
    await expect(page.getByText("Password successfully updated!").first()).toBeVisible();
    await expect(dialog.getByLabel("Current password")).toHaveValue("");
    expect((await there.request.get(`${market.address}/api/auth`)).status()).toBe(401);
    expect((await page.request.get(`${market.address}/api/auth`)).status()).toBe(200);
    await elsewhere.close();
  },
);

test("another browser is logged out from the list of devices", async ({ page, browser, market }) => {
  const { email } = await market.ask("customer", {});
  const who = { email, password: market.customer.password };
  const elsewhere = await openBrowser(browser, market, {
    userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
  });
  const there = await elsewhere.newPage();
  await beCustomer(there, market, who);
  await beCustomer(page, market, who);
  await page.goto("/profile");
  const dialog = dialogOf(page);
  await dialog.getByRole("button", { name: "Log out Safari on iPhone" }).click();
  await expect(dialog.getByText("Safari on iPhone")).toHaveCount(0);
  expect((await there.request.get(`${market.address}/api/auth`)).status()).toBe(401);
  await elsewhere.close();
});

test(
  "the data export comes by mail, and a deleted account is gone",
  { tag: ["@fail:F9"] },
  async ({ page, market }) => {
    const { email } = await market.ask("customer", { address: true });
    await beCustomer(page, market, { email, password: market.customer.password });
    await page.goto("/profile");
    await dialogOf(page).getByRole("button", { name: "Download my data" }).click();
    await dialogOf(page).getByLabel("Your password").fill(market.customer.password);
    await dialogOf(page).getByRole("button", { name: "Email me the link" }).click();
    await expect(dialogOf(page).getByText("Check your email for instructions.")).toBeVisible();
    await linkTo(market, email, "/account/data");
    await dialogOf(page).getByRole("button", { name: "Done" }).click();

    await dialogOf(page).getByRole("button", { name: "Delete my account" }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("Your password").fill("wrong");
    await dialog.getByRole("button", { name: "Delete my account" }).click();
    const password = dialog.getByLabel("Your password");
    await expect(password).toHaveAccessibleDescription("Error: That is not your current password.");
    await expect(password).toBeFocused();
    await expectAccessible(page);
    await dialog.getByLabel("Your password").fill(market.customer.password);
    await dialog.getByRole("button", { name: "Delete my account" }).click();
    await expect(dialogOf(page).getByRole("heading", { name: /online farmers market/ })).toBeVisible();
    await logIn(page, email, market.customer.password);
    await expect(alertIn(page)).toContainText("Invalid email or password. Please check those values.");
    await page.goto("/account/data/nobodys");
    await expect(page).toHaveURL(/\/account\?data=expired$/);
  },
);

test(
  "logout asks for confirmation, then opens the root after half a second",
  { tag: ["@spec:4-05", "@spec:9-19"] },
  async ({ page, market }) => {
    const { email } = await market.ask("customer", {});
    await beCustomer(page, market, { email, password: market.customer.password });
    await page.goto("/more");
    await page.clock.install();
    await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
    const dialog = dialogOf(page);
    await expect(dialog.getByRole("heading", { name: "Are you sure you want to logout?" })).toBeVisible();
    const ended = page.waitForResponse(/\/auth\/logout$/);
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await noteTimers(page);
    await dialog.getByRole("button", { name: "Logout" }).click();
    await ended;
    await timerIsSet(page, LOGOUT_RELOAD_MS);
    await page.clock.runFor(400);
    await expect(page).toHaveURL(/\/more$/);
    await page.clock.runFor(1_000);
    await page.waitForURL(/\/shop$/);
    await page.clock.resume();
    await expect(dialogOf(page).getByRole("heading", { name: /online farmers market/ })).toBeVisible();
  },
);

test(
  "an ended session is noticed within 15 minutes and opens Login with a message; typed text is kept",
  { tag: ["@spec:4-06", "@spec:8-20", "@spec:9-14", "@fail:F5"] },
  async ({ page, market }) => {
    const { email } = await market.ask("customer", {});
    await beCustomer(page, market, { email, password: market.customer.password });
    await page.clock.install();
    await openWithHeartbeat(page, "/profile");
    await dialogOf(page).getByLabel("Username").fill("half a thought");
    await endSessions(page, market, email);
    const polled = page.waitForResponse(/\/api\/auth$/);
    await page.clock.fastForward("14:30");
    await page.clock.fastForward("00:31");
    expect((await polled).status()).toBe(401);
    await expect(page.getByText("Your session has expired. Please login to continue.").first()).toBeVisible();
    await page.clock.runFor(600);
    await page.waitForURL(/\/shop$/);
    const dialog = dialogOf(page);
    await expect(dialog.getByRole("heading", { name: "Login" })).toBeVisible();
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByLabel("Password", { exact: true }).fill(market.customer.password);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.goto("/profile");
    await expect(dialogOf(page).getByLabel("Username")).toHaveValue("half a thought");
  },
);

test(
  "a newer build waits while text is being typed",
  { tag: ["@spec:9-14", "@fail:H14"] },
  async ({ page, market }) => {
    const { email } = await market.ask("customer", {});
    await beCustomer(page, market, { email, password: market.customer.password });
    await page.clock.install();
    await page.route("**/version.json", (route) => route.fulfill({ json: { build: "another" } }));
    await openWithHeartbeat(page, "/profile");
    await page.evaluate(() => ((window as { marked?: boolean }).marked = true));
    await dialogOf(page).getByLabel("Current password").fill("half a password");
    const polled = page.waitForResponse(/version\.json/);
    await page.clock.fastForward("03:30");
    await (await polled).finished();
    await buildIsRead(page);
    await expect(dialogOf(page).getByLabel("Current password")).toHaveValue("half a password");
    expect(await page.evaluate(() => (window as { marked?: boolean }).marked)).toBe(true);
    const reloaded = page.waitForEvent("load");
    await dialogOf(page).getByLabel("Current password").fill("");
    await page.clock.fastForward("03:30");
    await reloaded;
    expect(await page.evaluate(() => (window as { marked?: boolean }).marked)).toBeUndefined();
  },
);

test("my details: a guest sees the login", async ({ page, market }) => {
  await beGuest(page, market);
  await page.goto("/profile");
  await dialogOf(page).getByRole("button", { name: "Login" }).click();
  const { email } = await market.ask("customer", {});
  await dialogOf(page).getByRole("textbox", { name: "Email", exact: true }).fill(email);
  await dialogOf(page).getByLabel("Password", { exact: true }).fill(market.customer.password);
  await page.keyboard.press("Enter");
  await expect(dialogOf(page).getByRole("textbox", { name: "Email", exact: true })).toHaveValue(email);
  await expect(page).toHaveURL(/\/profile$/);
});
