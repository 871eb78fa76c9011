import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";
import { openBrowser } from "./lib/fixtures.ts";
import { wordOfItsOwn } from "./lib/shopper.ts";

/** What shoppers write: answered, hidden, closed. */

/** The inbox of a new market, opened by a person with this role there. */
async function open(page: Page, market: TestMarket, { role = "support" as const, width = 1280 } = {}) {
  const words = wordOfItsOwn();
  const made = await market.ask("inbox", { words });
  const { id } = await market.ask("staff", { ...newStaff(), role, hubId: made.hub.id });
  await beStaff(page, market, id);
  await page.setViewportSize({ width, height: 860 });
  await page.goto("/admin/inbox");
  await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Are they large?" })).toBeVisible();
  return { ...made, words, staffId: id };
}
const answerBox = (page: Page) => page.getByRole("textbox", { name: "Answer" });

/** The shop's API as a shopper without an account, or as the writer. */
async function shopOf(page: Page, market: TestMarket, who: { hubId: number } | { email: string }) {
  const context = await openBrowser(page.context().browser()!, market);
  const headers = { origin: market.address };
  const answer =
    "hubId" in who
      ? await context.request.post(`${market.address}/api/auth/guest?hubId=${who.hubId}`, { headers })
      : await context.request.post(`${market.address}/api/auth/login`, {
          data: { username: who.email, password: market.customer.password },
          headers,
        });
  expect(answer.ok()).toBe(true);
  return {
    read: async (path: string) => (await context.request.get(`${market.address}/api${path}`)).text(),
    close: () => context.close(),
  };
}

test("inbox: a message is answered with a template that is kept over a reload, and the shopper reads it", async ({
  page,
  market,
}) => {
  const { messageId, customer, words } = await open(page, market);
  await page.getByRole("row").filter({ hasText: "Are they large?" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Ana Baker" })).toBeVisible();
  await page.getByRole("button", { name: "Edit templates" }).click();
  const dialog = page.getByRole("dialog", { name: "Templates" });
  await dialog.getByRole("button", { name: "Add a template" }).click();
  await dialog.getByRole("textbox", { name: "Name" }).fill(`Sizes ${words}`);
  await dialog.getByRole("textbox", { name: "Text" }).fill("Hi {name}, most are large.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("button", { name: `Edit Sizes ${words}`, exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Insert a template" }).click();
  await page
    .getByRole("list", { name: "Templates" })
    .getByRole("button", { name: `Sizes ${words}`, exact: true })
    .click();
  await expect(answerBox(page)).toBeFocused();
  await expect(answerBox(page)).toHaveValue("Hi Ana, most are large.");
  await page.reload();
  await expect(answerBox(page)).toHaveValue("Hi Ana, most are large.");
  await expect(page.getByText("Emailed to Ana and shown in their inbox, in the vendor’s name.")).toBeVisible();
  await expectAccessible(page);
  await expectContrast(page);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Your answer is about to be sent")).toBeVisible();
  await market.ask("doHeldActions");
  await expect(page.getByRole("list").filter({ hasText: "for the market" })).toContainText("Hi Ana, most are large.");
  await expect(answerBox(page)).toHaveValue("");
  const ana = await shopOf(page, market, { email: customer.email });
  expect(await ana.read(`/inbox/${messageId}`)).toContain("Hi Ana, most are large.");
  await ana.close();
});

test("inbox: a template that another person has changed is saved over only once their text is shown, and a deleted one comes back by Undo", async ({
  page,
  market,
}) => {
  const { messageId, words } = await open(page, market);
  const name = `Late ${words}`;
  const headers = { origin: market.address };
  const url = `${market.address}/api/admin/reply-templates`;
  const added = await page.request.post(url, { headers, data: { name, text: "It is late." } });
  const { id } = (await added.json()) as { id: number };
  await page.goto(`/admin/inbox/message/${messageId}`);
  await page.getByRole("button", { name: "Edit templates" }).click();
  const dialog = page.getByRole("dialog", { name: "Templates" });
  await dialog.getByRole("button", { name: `Edit ${name}`, exact: true }).click();
  await dialog.getByRole("textbox", { name: "Text" }).fill("It is a little late.");
  const data = { name, text: "It is late, sorry.", expectedVersion: 1 };
  expect((await page.request.put(`${url}/${id}`, { headers, data })).status()).toBe(200);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert").filter({ hasText: "It is late, sorry." })).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "Text" })).toHaveValue("It is a little late.");
  await dialog.getByRole("button", { name: "Save" }).click();
  const row = dialog.getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText("It is a little late.");
  await row.getByRole("button", { name: `Delete ${name}`, exact: true }).click();
  await expect(row).toHaveCount(0);
  const undo = dialog.getByRole("button", { name: "Undo", exact: true });
  // A toast that is hovered stays.
  await undo.hover();
  await undo.click();
  await expect(row).toContainText("It is a little late.");
});

test("inbox: arrow keys that pass over people assign the item to the one they rest on alone", async ({
  page,
  market,
}) => {
  const { messageId, hub } = await open(page, market);
  await market.ask("staff", { ...newStaff(), role: "support", hubId: hub.id });
  await page.clock.install();
  await page.goto(`/admin/inbox/message/${messageId}`);
  const select = page.getByRole("combobox", { name: "Assigned to" });
  await expect.poll(() => select.getByRole("option").count()).toBeGreaterThan(2);
  const assigned: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT" && request.url().endsWith("/assignee")) assigned.push(request.postDataJSON());
  });
  const chosen = await select.getByRole("option").nth(2).getAttribute("value");
  const answer = page.waitForResponse(/\/assignee$/);
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await select.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(select).toHaveValue(chosen!);
  await page.clock.runFor(1000);
  await answer;
  await page.clock.resume();
  await page.reload();
  await expect(select).toHaveValue(chosen!);
  expect(assigned).toEqual([{ staffId: Number(chosen) }]);
});

test("inbox: a hidden review is gone from the shop, its writer still reads it, and Undo shows it again", async ({
  page,
  market,
}) => {
  const { reviewId, customer, product, hub, words } = await open(page, market);
  const [guest, ana] = [
    await shopOf(page, market, { hubId: hub.id }),
    await shopOf(page, market, { email: customer.email }),
  ];
  const path = `/products/${product.id}/reviews`;
  expect(await guest.read(path)).toContain(words);
  await page.goto(`/admin/inbox/review/${reviewId}?view=all`);
  await page.getByRole("button", { name: "Hide", exact: true }).click();
  await page.getByRole("button", { name: "Hide", exact: true }).click();
  await expect(page.getByText("Say why.")).toBeVisible();
  await page.getByRole("textbox", { name: "Why" }).fill("Not about the eggs");
  await page.getByRole("button", { name: "Hide", exact: true }).click();
  // The toast stays under the pointer.
  await page.getByRole("button", { name: "Undo", exact: true }).hover();
  await expect(page.getByText("Not about the eggs. Only the writer and the staff see it.")).toBeVisible();
  expect(await guest.read(path)).not.toContain(words);
  expect(await ana.read(path)).toContain(words);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("button", { name: "Hide", exact: true })).toBeVisible();
  expect(await guest.read(path)).toContain(words);
  await guest.close();
  await ana.close();
});

test("inbox: a filter that fails to load shows no items of the filter before", async ({ page, market }) => {
  await open(page, market);
  await page.route(/\/api\/admin\/inbox\?.*view=done/, (route) =>
    route.fulfill({ status: 500, json: ["The server failed.", {}] }),
  );
  await page.getByRole("navigation", { name: "Filter by turn" }).getByRole("link", { name: /^Done/ }).click();
  await expect(page.getByText("The inbox didn’t load.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Are they large?" })).toHaveCount(0);
});

test("inbox: of two people who answer at once, the second sees the first one's answer and keeps the text", async ({
  page,
  market,
}) => {
  const { questionId, hub } = await open(page, market);
  await page.goto(`/admin/inbox/question/${questionId}`);
  await answerBox(page).fill("Three weeks, in the cold.");
  const { id } = await market.ask("staff", { ...newStaff("Bo Lindgren"), role: "support", hubId: hub.id });
  const { name, value } = await market.ask("staffCookie", { id });
  const headers = { cookie: `${name}=${value}`, "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const url = `${market.address}/api/admin/inbox/question/${questionId}`;
  const { version } = (await (await fetch(url, { headers })).json()) as { version: string };
  // The page reads the item only every 20 seconds.
  const body = JSON.stringify({ text: "Two weeks.", expectedVersion: version });
  expect((await fetch(`${url}/reply`, { method: "POST", headers, body })).status).toBe(200);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Bo Lindgren is answering this")).toBeVisible();
  await expect(page.getByText("Two weeks.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("Bo Lindgren is answering this")).toBeVisible();
  await expect(page.getByText("Three weeks, in the cold.")).toBeVisible();
});

test("inbox: by keyboard alone an item is opened, answered, closed and opened again", async ({ page, market }) => {
  await open(page, market);
  await page.getByRole("row").filter({ hasText: "Are they large?" }).focus();
  await page.keyboard.press("Enter");
  await expect(answerBox(page)).toBeVisible();
  await page.keyboard.press("r");
  await expect(answerBox(page)).toBeFocused();
  await page.keyboard.type("Most are.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await expect(page.getByText("Do they keep for two weeks?").last()).toBeVisible();
  await page.keyboard.press("k");
  await expect(answerBox(page)).toHaveValue("Most are.");
  await page.keyboard.press("e");
  await expect(page.getByRole("button", { name: "Open again" })).toBeVisible();
  await page.keyboard.press("e");
  await expect(page.getByRole("button", { name: "No answer needed" })).toBeVisible();
  await expect(answerBox(page)).toHaveValue("Most are.");
});

test("inbox: at 360 px an item takes the list's place, and nothing is wider than the screen", async ({
  page,
  market,
}) => {
  await open(page, market, { width: 360 });
  const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(await isWide()).toBe(false);
  await expectAccessible(page);
  await page.getByRole("row").filter({ hasText: "Are they large?" }).click();
  await expect(answerBox(page)).toBeVisible();
  expect(await isWide()).toBe(false);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Are they large?" })).toBeVisible();
});

test("inbox: after a click on the first, ten questions and problems take three keys each beside the text: R, Ctrl Enter, J", async ({
  page,
  market,
}) => {
  const words = wordOfItsOwn();
  const { hubId, emails } = await market.ask("questions", { questions: 7, problems: 3, words });
  const { id } = await market.ask("staff", { ...newStaff(), role: "support", hubId });
  await beStaff(page, market, id);
  await page.goto("/admin/inbox");
  await page.getByRole("row").filter({ hasText: "Do they keep for 1 weeks?" }).click();
  for (let answered = 1; answered <= 10; answered += 1) {
    const isQuestion = answered <= 7;
    await expect(page.getByRole("main")).toContainText(
      isQuestion ? `keep for ${answered} weeks?` : `Box ${answered} came wet.`,
    );
    await expect(page.getByText(`${answered} of 10`, { exact: true })).toBeVisible();
    await expect(answerBox(page)).toBeVisible();
    await page.keyboard.press("r");
    await expect(answerBox(page)).toBeFocused();
    await page.keyboard.type(isQuestion ? "In a cold place they do." : "We are sorry, and give it back.");
    await page.keyboard.press("Control+Enter");
    // What is about to be sent is there in its place.
    await expect(answerBox(page)).toHaveCount(0);
    await page.keyboard.press("j");
  }
  await market.ask("doHeldActions");
  for (const to of emails) expect(await market.ask("mailTemplates", { to })).toHaveLength(1);
});
