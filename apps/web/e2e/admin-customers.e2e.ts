import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible } from "./lib/axe.ts";
import { askApi } from "./lib/orders.ts";
import { beCustomer, nameOfItsOwn, wordOfItsOwn } from "./lib/shopper.ts";

/** Ten digits that no other customer of this market has for a phone. */
const newPhone = (): string => `317${String(Math.floor(Math.random() * 8_000_000) + 2_000_000)}`;

/** A customer whose name is unique, with a phone and a card; the page's browser is that of a person of the staff. */
async function openAsStaff(
  page: Page,
  market: TestMarket,
  { role = "owner", hubId }: { role?: "owner" | "support"; hubId?: number } = {},
) {
  const firstName = wordOfItsOwn();
  const made = await market.ask("customer", { firstName, address: true, ...(hubId !== undefined && { hubId }) });
  const phone = newPhone();
  await market.ask("customerContact", { id: made.id, phone, last4: "7319" });
  const { id: staffId } = await market.ask("staff", { ...newStaff(), role });
  await beStaff(page, market, staffId);
  return { ...made, firstName, phone, path: `/admin/customers/${made.id}` };
}
const panelOf = (page: Page) => page.getByRole("region", { name: /^Customer \d+$/ });
const titleOf = (page: Page, firstName: string) =>
  panelOf(page).getByRole("heading", { name: `${firstName} Baker`, exact: true });

test("customers: a phone written another way and a card’s last four digits find the person; Enter opens them, and Esc returns to the row", async ({
  page,
  market,
}) => {
  const { firstName, phone, path } = await openAsStaff(page, market);
  await page.goto("/admin/customers");
  const row = page.getByRole("row", { name: new RegExp(firstName) });
  await expect(page.getByRole("heading", { level: 1, name: "Customers" })).toBeVisible();
  await page.keyboard.press("/");
  const field = page.getByRole("searchbox", { name: "Find a customer" });
  await expect(field).toBeFocused();
  await field.fill(`(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`);
  await expect(row).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);
  await field.fill("7319");
  await expect(row).toContainText("card 7319");
  await expect(page).toHaveURL("/admin/customers?q=7319");
  await field.fill(firstName);
  await expect(page).toHaveURL(`/admin/customers?q=${firstName}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await field.press("ArrowDown");
  await expect(row).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(titleOf(page, firstName)).toBeFocused();
  await expect(page).toHaveURL(`${path}?q=${firstName}`);
  await expect(panelOf(page)).toContainText("Visa ending 7319");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(row).toBeFocused();

  // The palette finds the same person.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill(firstName);
  await expect(page.getByRole("option", { name: new RegExp(`${firstName} Baker`) })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(titleOf(page, firstName)).toBeVisible();
});

test("customer: credit is given for a reason that survives a reload, the shopper has it until it is undone, and an amount over the role’s limit names the limit", async ({
  page,
  market,
}) => {
  const { email, firstName, path } = await openAsStaff(page, market, { role: "support" });
  await beCustomer(page, market, { email, password: market.customer.password });
  const creditOf = async () => (await askApi<{ credit: number }>(page, market, "GET", "/account/profile")).credit;
  await page.goto(path);
  await expect(panelOf(page).getByRole("button", { name: "Give credit" })).toBeVisible();
  await page.keyboard.press("c");
  const form = page.getByRole("region", { name: "Give store credit" });
  await expect(form.getByLabel("Amount")).toBeFocused();
  await form.getByLabel("Amount").fill("60");
  await form.getByLabel("Reason").fill("The box came late");
  await form.getByLabel("Reason").press("Enter");
  await expect(form.getByLabel("Amount")).toHaveAccessibleDescription(
    /Your role can give at most \$50\.00 at once\. Ask/,
  );
  await page.reload();
  await panelOf(page).getByRole("button", { name: "Give credit" }).click();
  await expect(form.getByLabel("Reason")).toHaveValue("The box came late");
  await form.getByLabel("Amount").fill("$20");
  await expect(form).toContainText("Credit goes from $0.00 to $20.00");
  await form.getByRole("button", { name: "Give $20.00" }).click();
  await expect(page.getByText("$20.00 of credit given").first()).toBeVisible();
  // The toast stays under the pointer.
  await page.getByRole("button", { name: "Undo", exact: true }).hover();
  await expect(panelOf(page).getByRole("table", { name: "Store credit" })).toContainText("The box came late");
  expect(await creditOf()).toBe(20);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone. The credit is taken back.").first()).toBeVisible();
  await expect.poll(creditOf).toBe(0);
  await expect(titleOf(page, firstName)).toBeVisible();
});

test("customer: two deliveries that the staff skips one right after the other are skipped on the shopper’s page", async ({
  page,
  context,
  market,
}) => {
  const { id: hubId } = await market.ask("hub", {});
  const milk = await market.ask("product", { title: nameOfItsOwn("Milk"), priceCents: 475, inventory: 90, hubId });
  const { email, path } = await openAsStaff(page, market, { hubId });
  await beCustomer(page, market, { email, password: market.customer.password });
  const data = { productId: milk.id, variantId: milk.variantId, qty: 1, subscription_interval: 1 };
  await askApi(page, market, "POST", "/subscriptions", data);
  await page.goto(path);
  const days = panelOf(page).getByRole("region", { name: "Next boxes" });
  const skips = days.getByRole("button", { name: /^Skip / });
  await expect(skips).toHaveCount(3);
  // The first request is on its way until the second one is sent.
  let sent = 0;
  const both = Promise.withResolvers<void>();
  await page.route(/\/skips?\b/, async (route) => {
    if (++sent === 2) both.resolve();
    await both.promise;
    await route.continue();
  });
  await skips.nth(0).click();
  await skips.nth(1).click();
  await expect(days.getByRole("button", { name: /^Don’t skip / })).toHaveCount(2);
  await expect(skips).toHaveCount(1);
  const shop = await context.newPage();
  await shop.goto("/subscription");
  await shop.getByRole("dialog").getByRole("button", { name: "Your next boxes" }).click();
  await expect(shop.getByRole("button", { name: "Don't skip" })).toHaveCount(2);
});

test("customer: an account is deleted with its email typed while a note is written in another window, which then says so and keeps the note", async ({
  page,
  context,
  market,
}) => {
  const { email, firstName, path } = await openAsStaff(page, market);
  const other = await context.newPage();
  await other.goto(path);
  await expect(titleOf(other, firstName)).toBeVisible();
  await other.getByRole("button", { name: "Note", exact: true }).click();
  const note = other.getByLabel("Note", { exact: true });
  await note.fill("Call back");
  await page.goto(path);
  await panelOf(page).getByRole("group", { name: "Actions" }).getByRole("button", { name: "More" }).click();
  await panelOf(page).getByRole("button", { name: "Delete account…" }).click();
  const form = page.getByRole("region", { name: `Delete the account of ${firstName} Baker`, exact: true });
  await form.getByLabel("Their email address, typed again").fill("someone@example.com");
  await form.getByLabel("Reason").fill("Requested by email");
  await form.getByRole("button", { name: `Delete ${firstName} Baker`, exact: true }).click();
  await expect(form.getByLabel("Their email address, typed again")).toHaveAccessibleDescription(/exactly as/);
  await form.getByLabel("Their email address, typed again").fill(email);
  await form.getByRole("button", { name: `Delete ${firstName} Baker`, exact: true }).click();
  await expect(panelOf(page).getByRole("heading", { name: "Account deleted" })).toBeVisible();
  await expect(panelOf(page).getByRole("button", { name: "Give credit" })).toHaveCount(0);

  await other.bringToFront();
  await other.getByRole("button", { name: "Add note" }).click();
  await expect(panelOf(other).getByRole("heading", { name: "Account deleted" })).toBeVisible();
  await expect(panelOf(other).getByRole("alert").filter({ hasText: "This account is deleted." })).toBeVisible();
  await expect(note).toHaveValue("Call back");
  await other.getByRole("button", { name: "Cancel" }).click();
  await expect(note).toHaveCount(0);
  await expect(panelOf(other).getByRole("group", { name: "Actions" })).toHaveCount(0);
});
