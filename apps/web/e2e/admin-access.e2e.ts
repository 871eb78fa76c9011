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
  const isOpen: string[] = [];
  for (let browser = 0; browser < 3; browser += 1) {
    const { name, value } = await market.ask("staffCookie", { id: benId });
    isOpen.push(`${name}=${value}`);
  }
  const openCount = async () => {
    const answers = await Promise.all(
      isOpen.map((cookie) => fetch(`${market.address}/api/admin/me/security`, { headers: { cookie } })),
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
