import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";

const MARKUP = '<img src=x onerror="alert(1)">';

/** A closed day of two boxes that were charged to cards; the first is open before an owner. */
async function openOrder(page: Page, market: TestMarket, isClosed = true) {
  const day = await market.ask("placedDay", {
    vendor: "Cluck & Co.",
    products: [
      { title: "Duck Eggs", priceCents: 700 },
      { title: "Honeycrisp Apples", priceCents: 625 },
    ],
    boxes: [
      { name: "Flora", quantities: [2, 1] },
      { name: "Ben", quantities: [1, 0] },
    ],
    isClosed,
  });
  const { id: staffId } = await market.ask("staff", { ...newStaff(), role: "owner" });
  await beStaff(page, market, staffId);
  const path = `/admin/days/${day.hub}/${day.date}/boxes/${day.orders[0]}`;
  await page.goto(path);
  await expect(panelOf(page).getByRole("heading", { name: /^Flora / })).toBeVisible();
  return { ...day, path, order: day.orders[0]! };
}
/** The panel of the only order that is open. */
const panelOf = (page: Page) => page.getByRole("region", { name: /^Order [\d\s]+$/ });
const actionsOf = (page: Page) => panelOf(page).getByRole("list", { name: "Recent actions" });
const formOf = (page: Page, name: string) => panelOf(page).getByRole("region", { name, exact: true });
/** A verb by its key, once what can be done is known. */
async function press(page: Page, key: string, verb: string): Promise<void> {
  await expect(panelOf(page).getByRole("button", { name: verb, exact: true })).toBeVisible();
  await page.keyboard.press(key);
}
/** What was typed a moment ago is planned: the lines of the ledger are there. */
const plannedRow = (page: Page, name: string) =>
  panelOf(page)
    .getByRole("table")
    .filter({ hasText: "Ledger, when it’s sent" })
    .getByRole("row", { name: new RegExp(`^${name} .+$`) });

test("order verbs: a refund that the vendor bears shows its ledger lines, is sent after its hold, and is a column of the ledger", async ({
  page,
  market,
}) => {
  await openOrder(page, market);
  await press(page, "r", "Refund");
  const form = formOf(page, "Refund a part");
  await expect(form.getByLabel("Amount")).toBeFocused();
  await form.getByLabel("Amount").fill("3.5");
  await form.getByRole("radio", { name: "Cluck & Co." }).check();
  await expect(plannedRow(page, "Cluck & Co.")).toContainText("−3.50");
  await form.getByRole("button", { name: "Refund $3.50" }).click();
  await expect(form.getByLabel("Reason")).toHaveAccessibleDescription(/Give a reason\./);
  await form.getByLabel("Reason").fill(`Two were broken ${MARKUP}`);
  await form.getByRole("button", { name: "Refund $3.50" }).click();
  await expect(form).toHaveCount(0);
  await expect(actionsOf(page)).toContainText(/Refund \$3\.50 sends (in \d+ s|now)/);
  await market.ask("doHeldActions");
  const ledger = panelOf(page).getByRole("group", { name: "Ledger" });
  await expect(ledger.getByRole("columnheader", { name: "Refund" })).toBeVisible();
  await expect(ledger.getByRole("row", { name: /^Cluck & Co\./ })).toContainText("−3.50");
  await expect(panelOf(page).getByRole("region", { name: "History" })).toContainText(`Two were broken ${MARKUP}`);
});

test("order verbs: a note for the driver makes the sheets stale, and one for the customer is on the order in the shop", async ({
  page,
  market,
}) => {
  const { hub, date, order, path } = await openOrder(page, market);
  const write = async (kind: string, text: string) => {
    await press(page, "n", "Note");
    const form = formOf(page, "Add a note");
    await form.getByRole("radio", { name: kind, exact: true }).check();
    await form.getByLabel("Note", { exact: true }).fill(text);
    await form.getByRole("button", { name: "Add note" }).click();
    await expect(form).toHaveCount(0);
    await expect(panelOf(page).getByRole("region", { name: "Notes of the staff" })).toContainText(text);
  };
  await write("For the driver", "Leave it on the porch");
  const day = await page.request.get(`${market.address}/api/admin/hubs/${hub}/days/${date}`);
  expect(((await day.json()) as { isStale: boolean }).isStale).toBe(true);
  await write("For the customer", `Two cartons ${MARKUP}`);
  await write("Staff only", "Called twice");

  const box = await page.request.get(`${market.address}/api/admin/orders/${order}`);
  const { email } = ((await box.json()) as { customer: { email: string } }).customer;
  const signedIn = await page.request.post(`${market.address}/api/auth/login`, {
    headers: { origin: market.address },
    data: { username: email, password: "wheelbarrow" },
  });
  expect(signedIn.status()).toBe(200);
  await page.goto(`/order-complete/${order}`);
  await expect(page.getByText(`Two cartons ${MARKUP}`)).toBeVisible();
  await expect(page.getByText("Called twice")).toHaveCount(0);

  await page.goto(path);
  const notes = panelOf(page).getByRole("region", { name: "Notes of the staff" });
  await notes.getByRole("button", { name: "Remove: Called twice" }).click();
  await expect(notes).not.toContainText("Called twice");
  await actionsOf(page).getByRole("button", { name: "Undo" }).click();
  await expect(notes).toContainText("Called twice");
});

test("order verbs: a box moves to a pickup point at once with the effect before, and is taken back", async ({
  page,
  market,
}) => {
  await openOrder(page, market);
  await press(page, "v", "Move");
  const form = formOf(page, "Move this order");
  const point = form.getByLabel("Pickup point", { exact: true }).and(form.getByRole("combobox"));
  await point.selectOption({ index: 1 });
  await expect(form).toContainText("stays, because orders are closed.");
  await form.getByRole("button", { name: /^Move to / }).click();
  await expect(form).toHaveCount(0);
  await expect(panelOf(page)).toContainText("pickup at");
  await actionsOf(page).getByRole("button", { name: "Undo" }).click();
  await expect(panelOf(page)).toContainText("door delivery");
});

test("order verbs: by keyboard alone an item is short and a draft survives a reload", async ({ page, market }) => {
  await openOrder(page, market);
  await press(page, "s", "Short");
  const form = formOf(page, "Short one item");
  await expect(form.getByLabel("Item")).toBeFocused();
  await page.keyboard.type("2 × Duck");
  await page.keyboard.press("Tab");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await expect(form.getByLabel("How many came")).toHaveAccessibleDescription(/Enter a whole number from 0 to 1\./);
  await page.reload();
  await press(page, "s", "Short");
  await expect(form.getByLabel("How many came")).toHaveValue("2");
  await form.getByLabel("How many came").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("1");
  await expect(form.getByRole("button", { name: /^Short 1, refund \$/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(form).toHaveCount(0);
  await market.ask("doHeldActions");
  await expect(panelOf(page)).toContainText("short 1");
});

test("order verbs: an amount is promised only once it is planned, for what is typed now", async ({ page, market }) => {
  await openOrder(page, market);
  await press(page, "s", "Short");
  const form = formOf(page, "Short one item");
  await form.getByLabel("Item").selectOption({ index: 1 });
  await form.getByLabel("How many came").fill("1");
  await expect(form.getByRole("button", { name: /^Short 1, refund \$/ })).toBeVisible();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const requested = page.waitForRequest(/\/api\/admin\/orders\/\d+\/short/);
  await page.route(/\/api\/admin\/orders\/\d+\/short/, async (route) => {
    await promise;
    await route.continue();
  });
  await form.getByLabel("How many came").fill("0");
  await requested;
  await expect(form.getByRole("button", { name: "Short", exact: true })).toBeVisible();
  await expect(form.getByRole("table")).toHaveAttribute("aria-busy", "true");
  release();
  await expect(form.getByRole("button", { name: /^Short 2, refund \$/ })).toBeVisible();
});

test("order verbs: a note that someone changed meanwhile is shown and then changed, and the form of a removed one keeps its text", async ({
  page,
  market,
  context,
}) => {
  const { path } = await openOrder(page, market);
  const notesOf = (tab: Page) => panelOf(tab).getByRole("region", { name: "Notes of the staff" });
  await press(page, "n", "Note");
  await formOf(page, "Add a note").getByLabel("Note", { exact: true }).fill("Call first");
  await formOf(page, "Add a note").getByRole("button", { name: "Add note" }).click();
  await expect(notesOf(page)).toContainText("Call first");
  // Whether it has learned of the change when it saves does not matter.
  const other = await context.newPage();
  await other.goto(path);
  await notesOf(other).getByRole("button", { name: "Change: Call first" }).click();
  const form = formOf(other, "Change the note");
  await form.getByLabel("Note", { exact: true }).fill("Call first, then ring");
  await notesOf(page).getByRole("button", { name: "Change: Call first" }).click();
  await formOf(page, "Change the note").getByLabel("Note", { exact: true }).fill("Text first");
  await formOf(page, "Change the note").getByRole("button", { name: "Change note" }).click();
  await expect(notesOf(page)).toContainText("Text first");
  await form.getByRole("button", { name: "Change note" }).click();
  await expect(form).toContainText("It now says: “Text first”");
  await expect(form.getByLabel("Note", { exact: true })).toHaveValue("Call first, then ring");
  await form.getByRole("button", { name: "Change note" }).click();
  await expect(form).toHaveCount(0);
  await expect(notesOf(other)).toContainText("Call first, then ring");

  await notesOf(other).getByRole("button", { name: "Change: Call first, then ring" }).click();
  await form.getByLabel("Note", { exact: true }).fill("Never mind");
  await expect(notesOf(page)).toContainText("Call first, then ring");
  await notesOf(page).getByRole("button", { name: "Remove: Call first, then ring" }).click();
  await expect(form).toContainText("Someone removed this note.");
  await expect(form.getByLabel("Note", { exact: true })).toHaveValue("Never mind");
});

test("order verbs: a refund that two tabs send at the same version is one", async ({ page, market, context }) => {
  const { path, order } = await openOrder(page, market);
  const other = await context.newPage();
  await other.goto(path);
  for (const tab of [page, other]) {
    await press(tab, "r", "Refund");
    const form = formOf(tab, "Refund a part");
    await form.getByLabel("Amount").fill("2");
    await form.getByLabel("Reason").fill("Bruised");
  }
  for (const tab of [page, other]) {
    await formOf(tab, "Refund a part").getByRole("button", { name: "Refund $2.00" }).click();
    await expect(formOf(tab, "Refund a part")).toHaveCount(0);
  }
  await market.ask("doHeldActions");
  await expect(
    panelOf(page).getByRole("group", { name: "Ledger" }).getByRole("columnheader", { name: "Refund" }),
  ).toHaveCount(1);
  const box = await page.request.get(`${market.address}/api/admin/orders/${order}`);
  const { steps } = (await box.json()) as { steps: { step: string }[] };
  expect(steps.filter(({ step }) => step === "refund")).toHaveLength(1);
});
