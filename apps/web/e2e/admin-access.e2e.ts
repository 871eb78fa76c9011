import { addPasskeyDevice, beStaff, expect, forgetStepUp, newStaff, setUpPasskey, test } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";

test("what can Ben do: the sentences follow the roles that are being chosen, mark what is added, and are the saved ones after a discard", async ({
  page,
  market,
}) => {
  const ada = newStaff();
  const ben = newStaff("Ben Ortiz");
  const { id } = await market.ask("staff", { ...ada, role: "owner" });
  const { id: benId } = await market.ask("staff", { ...ben, role: "support" });
  await beStaff(page, market, id);
  await page.goto(`/admin/staff?person=${benId}`);
  const panel = page.getByRole("dialog", { name: ben.name, exact: true });
  const can = panel.getByRole("region", { name: "What can Ben do?" });
  await expect(can.getByText("Once Ben has opened the link:")).toBeVisible();
  await expect(can.getByText("Ben can refund orders, up to $50.00 at a time, in all markets.")).toBeVisible();
  await expect(can.getByText("Ben can read the audit log, own entries only.")).toBeVisible();
  await expect(can.getByText(/^Ben can’t .*approve payouts.*delete shoppers\.$/)).toBeVisible();

  await panel.getByRole("checkbox", { name: "Market lead" }).check();
  const where = panel.getByRole("group", { name: "Where: Market lead" });
  await where.getByRole("radio", { name: "Chosen markets" }).check();
  await expect(can.getByText("Choose a market for Market lead, or all markets, to see what changes.")).toBeVisible();
  await panel.getByRole("checkbox", { name: market.hub.name, exact: true }).check();
  await expect(can.getByText("After saving the roles above:")).toBeVisible();
  const refund = can.getByRole("listitem").filter({ hasText: `up to $200.00 at a time, in ${market.hub.name}.` });
  await expect(refund.first()).toContainText("New");
  await expect(refund.first()).toContainText("from $200.00 on, confirmed with a passkey or password first");
  await expect(can.getByRole("listitem").filter({ hasText: "Ben can see orders in all markets." })).not.toContainText(
    "New",
  );
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);

  await panel.getByRole("checkbox", { name: "Market lead" }).uncheck();
  await expect(can.getByText("After saving the roles above:")).toHaveCount(0);
  await panel.getByRole("checkbox", { name: "Support" }).uncheck();
  await expect(can.getByText("Without a role, Ben can do nothing.")).toBeVisible();
  await expect(can.getByRole("listitem")).toHaveCount(0);

  await page.goto("/admin/security");
  const own = page.getByRole("region", { name: "What you can do" });
  await expect(own.getByText("You can invite staff and change their roles in all markets.")).toBeVisible();
  await expect(own.getByText("As Owner · confirmed with a passkey or password first").first()).toBeVisible();
});

test("where Ben is signed in: an owner signs one browser out after confirming, then all; their own stays", async ({
  page,
  market,
}) => {
  const ada = newStaff();
  const ben = newStaff("Ben Ortiz");
  const { link } = await market.ask("staff", { ...ada, role: "owner" });
  const { id: benId } = await market.ask("staff", { ...ben, role: "support" });
  await addPasskeyDevice(page);
  await setUpPasskey(page, link);
  const cookies: string[] = [];
  for (let browser = 0; browser < 3; browser += 1) {
    const { name, value } = await market.ask("staffCookie", { id: benId });
    cookies.push(`${name}=${value}`);
  }
  const openCount = async () => {
    const answers = await Promise.all(
      cookies.map((cookie) => fetch(`${market.address}/api/admin/me/security`, { headers: { cookie } })),
    );
    return answers.filter(({ ok }) => ok).length;
  };
  expect(await openCount()).toBe(3);
  await page.goto(`/admin/staff?person=${benId}`);
  const panel = page.getByRole("dialog", { name: ben.name, exact: true });
  const signedIn = panel.getByRole("region", { name: "Where Ben is signed in" });
  await expect(signedIn.getByRole("listitem")).toHaveCount(3);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);

  await forgetStepUp(page, market, ada.email);
  await signedIn
    .getByRole("button", { name: /^Sign out (?!everywhere)/ })
    .first()
    .click();
  const sheet = page.getByRole("dialog", { name: /^Sign Ben Ortiz out of / });
  await expect(sheet.getByText("It ends at once.")).toBeVisible();
  await sheet.getByRole("button", { name: "Not now" }).click();
  await expect(signedIn.getByRole("listitem")).toHaveCount(3);
  await signedIn
    .getByRole("button", { name: /^Sign out (?!everywhere)/ })
    .first()
    .click();
  await sheet.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(signedIn.getByRole("listitem")).toHaveCount(2);
  await expect.poll(openCount).toBe(2);
  await signedIn.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(signedIn.getByText("Ben isn’t signed in anywhere.")).toBeVisible();
  await expect(signedIn.getByRole("heading")).toBeFocused();
  await expect.poll(openCount).toBe(0);

  await panel.getByRole("button", { name: "Close" }).click();
  await page.getByRole("row").filter({ hasText: ada.email }).getByRole("link").click();
  const own = page.getByRole("region", { name: "Where Ada is signed in" });
  await expect(own.getByText("This browser")).toBeVisible();
  await expect(own.getByText("This is you: the browser that you’re using stays signed in.")).toBeVisible();
  await expect(own.getByRole("button")).toHaveCount(0);
});

test(
  "an API key: created after confirming, copied once, used by a program, shown with its last use, and refused once revoked",
  { tag: ["@fail:N3"] },
  async ({ page, market, context }) => {
    const ada = newStaff();
    const { link } = await market.ask("staff", { ...ada, role: "owner" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await addPasskeyDevice(page);
    await setUpPasskey(page, link);
    await forgetStepUp(page, market, ada.email);
    await page.goto("/admin/security");
    const section = page.getByRole("region", { name: "API keys" });
    await expect(section.getByText("You have no API key.")).toBeVisible();
    await section.getByRole("button", { name: "Create a key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key", exact: true });
    await form.getByRole("button", { name: "Create a key" }).click();
    await expect(form.getByRole("link", { name: "Choose what the key may do" })).toBeVisible();
    await form.getByLabel("Name").fill("Nightly export");
    await form.getByRole("checkbox", { name: "see orders" }).check();
    await form.getByRole("radio", { name: "1 year" }).check();
    await expect(form.getByRole("checkbox", { name: "invite staff and change their roles" })).toHaveCount(0);
    await expectAccessible(page);
    // What was typed survives a reload.
    await page.reload();
    await section.getByRole("button", { name: "Create a key" }).click();
    await expect(form.getByLabel("Name")).toHaveValue("Nightly export");
    await expect(form.getByRole("checkbox", { name: "see orders" })).toBeChecked();
    await form.getByRole("button", { name: "Create a key" }).click();
    const sheet = page.getByRole("dialog", { name: "Create the API key “Nightly export”", exact: true });
    await sheet.getByRole("button", { name: "Create a key" }).click();

    const shown = page.getByRole("dialog", { name: "Copy your new key", exact: true });
    await shown.getByRole("button", { name: "Copy the key" }).click();
    const secret = await page.evaluate(() => navigator.clipboard.readText());
    expect(secret).toMatch(/^mkt_[\w-]{43}$/);
    await expect(shown.getByText(secret, { exact: true })).toBeVisible();
    await shown.getByRole("button", { name: "Copy the example" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `curl -H "Authorization: Bearer ${secret}" "${market.address}/api/admin/orders"`,
    );
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectContrast(page);
    const done = shown.getByRole("button", { name: "Done" });
    await expect(done).toBeDisabled();
    await expect(done).toHaveAccessibleDescription("Check the box once you have saved it.");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("dialog")).toHaveCount(1);
    await shown.getByRole("checkbox", { name: "I’ve saved the key" }).check();
    await shown.getByRole("button", { name: "Done" }).click();
    await expect(shown).toHaveCount(0);
    expect(await page.content()).not.toContain(secret);

    const call = async (path: string) =>
      (await fetch(`${market.address}/api/admin${path}`, { headers: { authorization: `Bearer ${secret}` } })).status;
    expect([await call("/orders"), await call("/customers"), await call("/me/keys")]).toEqual([200, 403, 403]);
    await page.reload();
    const row = section.getByRole("listitem").filter({ hasText: "Nightly export" });
    await expect(row).toContainText(`${secret.slice(0, 10)}…`);
    await expect(row).toContainText("last used just now");
    await expect(row).toContainText("Can see orders");
    await expectAccessible(page);
    await expectContrast(page);

    // An owner sees it in the panel of the person too, and revokes it.
    await page.goto("/admin/staff");
    await page.getByRole("row").filter({ hasText: ada.email }).getByRole("link").click();
    const keys = page.getByRole("region", { name: "API keys of Ada" });
    await keys.getByRole("button", { name: `Revoke Nightly export, ${secret.slice(0, 10)}…`, exact: true }).click();
    const revoke = page.getByRole("dialog", {
      name: `Revoke the API key “Nightly export”, ${secret.slice(0, 10)}…?`,
      exact: true,
    });
    await expect(revoke.getByText("Programs that use it are refused at once.")).toBeVisible();
    await revoke.getByRole("button", { name: "Revoke", exact: true }).click();
    await expect(keys.getByText("Ada has no API key.")).toBeVisible();
    await expectAccessible(page);
    await expect.poll(() => call("/orders")).toBe(401);
  },
);

test("an API key of one's own is revoked under Security, and another one of the role that was lost says so", async ({
  page,
  market,
}) => {
  const { id } = await market.ask("staff", { ...newStaff(), role: "manager" });
  await beStaff(page, market, id);
  await page.goto("/admin/security");
  const section = page.getByRole("region", { name: "API keys" });
  for (const name of ["Export", "Robot"]) {
    await section.getByRole("button", { name: "Create a key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key", exact: true });
    await form.getByLabel("Name").fill(name);
    await form.getByRole("checkbox", { name: "refund orders" }).check();
    await form.getByRole("checkbox", { name: "see orders" }).check();
    await form.getByRole("button", { name: "Create a key" }).click();
    const shown = page.getByRole("dialog", { name: "Copy your new key", exact: true });
    await shown.getByRole("checkbox", { name: "I’ve saved the key" }).check();
    await shown.getByRole("button", { name: "Done" }).click();
  }
  await section.getByRole("button", { name: "Revoke Export" }).click();
  await page
    .getByRole("dialog", { name: /^Revoke the API key “Export”, mkt_.{6}…\?$/ })
    .getByRole("button", { name: "Revoke", exact: true })
    .click();
  await expect(section.getByRole("listitem")).toHaveCount(1);
  await expect(section.getByRole("heading")).toBeFocused();
  await market.ask("changeStaff", { id, role: "auditor" });
  await page.reload();
  await expect(section.getByRole("listitem")).toContainText("Can see orders");
  await expect(section.getByRole("listitem")).toContainText("No longer, because the role is gone: refund orders");
});

test(
  "a new API key is shown although its form is closed before the answer and the browser goes back, and a lost answer says that a key may exist",
  { tag: ["@fail:N3"] },
  async ({ page, market }) => {
    const { id } = await market.ask("staff", { ...newStaff(), role: "manager" });
    await beStaff(page, market, id);
    await page.goto("/admin/nothing");
    const openSecurity = async () => {
      await page.getByRole("button", { name: "your account" }).click();
      await page.getByRole("link", { name: "Your security" }).click();
    };
    await openSecurity();
    const section = page.getByRole("region", { name: "API keys" });
    const form = page.getByRole("dialog", { name: "Create a key", exact: true });
    const fillIn = async () => {
      await section.getByRole("button", { name: "Create a key" }).click();
      await form.getByLabel("Name").fill("Export");
      await form.getByRole("checkbox", { name: "see orders" }).check();
    };
    const created: (() => void)[] = [];
    await page.route("**/api/admin/me/keys", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const response = await route.fetch();
      await new Promise<void>((resolve) => created.push(resolve));
      return route.fulfill({ response });
    });
    await fillIn();
    await form.getByRole("button", { name: "Create a key" }).click();
    await expect.poll(() => created.length).toBe(1);
    await page.keyboard.press("Escape");
    await expect(form).toHaveCount(0);
    created[0]?.();
    const shown = page.getByRole("dialog", { name: "Copy your new key", exact: true });
    await expect(shown.getByText(/^mkt_[\w-]{43}$/)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/admin\/nothing$/);
    await expect(shown.getByText(/^mkt_[\w-]{43}$/)).toBeVisible();
    await shown.getByRole("checkbox", { name: "I’ve saved the key" }).check();
    await shown.getByRole("button", { name: "Done" }).click();
    await expect(shown).toHaveCount(0);

    await openSecurity();
    await page.unroute("**/api/admin/me/keys");
    await page.route("**/api/admin/me/keys", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      return route.abort();
    });
    await fillIn();
    await form.getByRole("button", { name: "Create a key" }).click();
    await expect(form.getByText(/The key may have been created: before you try again, close this/)).toBeVisible();
    await form.getByRole("button", { name: "Close" }).click();
    // Two of the same name: the beginning of the key tells them apart.
    const buttons = section.getByRole("button", { name: /^Revoke Export, mkt_/ });
    await expect(buttons).toHaveCount(2);
    const names = await buttons.evaluateAll((all) => all.map((button) => button.getAttribute("aria-label")));
    expect(new Set(names).size).toBe(2);
  },
);
