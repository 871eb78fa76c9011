import { expectAccessible } from "./lib/axe.ts";
import { expect, test } from "./lib/fixtures.ts";
import { beCustomer, beGuest, newPerson, register } from "./lib/shopper.ts";

const long = `${"a".repeat(99)} and the rest of it`;

test(
  "threads: five a page, previews of 100 characters, windowed pages over six, read on opening",
  { tag: ["@spec:2.1-23", "@spec:2.1-29", "@spec:2.4-65", "@spec:4-31", "@spec:9-06", "@spec:9-29", "@spec:2.3-11"] },
  async ({ page, market }) => {
    const { email } = await market.ask("customer", {});
    // 36 conversations are eight pages; the newest is long, and its stall wrote last.
    const messages = Array.from({ length: 36 }, (_, turn) => [
      { sender: "C" as const, message: `Question ${turn + 1}` },
      ...(turn === 35 ? [{ sender: "U" as const, message: long }] : []),
    ]);
    const ids = await market.ask("threads", { email, messages });
    await beCustomer(page, market, { email, password: market.customer.password });
    await page.goto("/more");
    await expect(page.getByRole("button", { name: /^Inbox.*1 unread/ }).first()).toBeVisible();
    await page.goto("/inbox");
    const list = page.getByRole("list", { name: "Conversations" });
    await expect(list.getByRole("listitem")).toHaveCount(5);
    await expect(list.getByText(`${"a".repeat(99)}…`, { exact: true })).toBeVisible();
    await expect(list.getByText("You: Question 35")).toBeVisible();
    const first = list.getByRole("listitem").first();
    await expect(first.getByText("(unread)")).toBeAttached();
    const pages = page.getByRole("navigation", { name: "Pages of your inbox" });
    await expect(pages.getByText("…")).toHaveCount(1);
    await expectAccessible(page);
    await pages.getByRole("link", { name: "Page 8" }).click();
    await expect(page).toHaveURL(/\/inbox\?page=8$/);
    await expect(list.getByRole("listitem")).toHaveCount(1);
    await expect(list.getByText("You: Question 1", { exact: true })).toBeVisible();
    await page.reload();
    await expect(list.getByText("You: Question 1", { exact: true })).toBeVisible();
    await page.goto("/inbox");

    await first.getByRole("link").click();
    const thread = page.getByRole("dialog");
    await expect(page).toHaveURL(new RegExp(`/inbox/${ids[35]}$`));
    await expect(thread.getByText(long)).toBeVisible();
    await expect(list.getByText("(unread)")).toHaveCount(0);
    const reply = thread.getByRole("textbox", { name: /^Reply to / });
    const send = thread.getByRole("button", { name: "Send" });
    await expect(send).toHaveAttribute("aria-disabled", "true");
    await reply.fill("x".repeat(251));
    await expect(thread.getByText("1 character too many")).toBeVisible();
    await expect(send).toHaveAttribute("aria-disabled", "true");
    await reply.fill("Thank <b>you</b>.");
    // Shown at once, marked when it failed, and there after a reload.
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/api/inbox/*/reply", async (route) => {
      await held;
      await route.abort();
    });
    const mine = thread.getByText("Thank <b>you</b>.", { exact: true });
    await send.click();
    await expect(mine).toBeVisible();
    await expect(thread.getByText("Sending…")).toBeVisible();
    await expect(reply).toHaveValue("");
    await reply.fill("And another thing");
    answer();
    await expect(thread.getByText("We couldn't reach the market.")).toBeVisible();
    await expect(thread.getByText("Not sent")).toBeVisible();
    await page.unroute("**/api/inbox/*/reply");
    await page.reload();
    await expect(mine).toBeVisible();
    await expect(thread.getByText("Not sent")).toBeVisible();
    await expect(reply).toHaveValue("And another thing");
    await thread.getByRole("button", { name: "Change it" }).click();
    await expect(reply).toHaveValue("Thank <b>you</b>. And another thing");
    await reply.fill("Thank <b>you</b>.");
    // The answer is lost on its way: the market has it, and a second try makes no second message.
    await page.route("**/api/inbox/*/reply", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await send.click();
    await expect(thread.getByText("Not sent")).toBeVisible();
    await page.unroute("**/api/inbox/*/reply");
    await thread.getByRole("button", { name: "Try again" }).click();
    await expect(thread.getByText("Not sent")).toHaveCount(0);
    await expect(thread.getByRole("listitem").filter({ hasText: "Thank <b>you</b>." })).toHaveCount(1);
    await expect(reply).toHaveValue("");
    await expect(thread.getByText("Sending…")).toHaveCount(0);
    // Try again is gone, then the message it sent: what was around them takes the focus in the next frame.
    await expect(page.locator("body")).not.toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  },
);

test(
  "an empty inbox has a text; another person's thread is the 404 page",
  { tag: ["@spec:6-06"] },
  async ({ page, market }) => {
    const { email: other } = await market.ask("customer", {});
    const [theirs] = await market.ask("threads", { email: other, messages: [[{ sender: "C", message: "Secret" }]] });
    const { email } = await market.ask("customer", {});
    await beCustomer(page, market, { email, password: market.customer.password });
    await page.goto("/inbox");
    await expect(page.getByText("When you message a stall, its answers show up here.")).toBeVisible();
    await page.goto(`/inbox/${theirs}`);
    await expect(page.getByText("Page died of dysentery")).toBeVisible();
  },
);

test(
  "a guest writes to a vendor after creating an account; the vendor answers by mail without script",
  { tag: ["@spec:5-41"] },
  async ({ page, market, browser }) => {
    const { slug, id, name } = await market.ask("vendor", { name: "Goose Hill" });
    const address = `goose.${id}@example.com`;
    await market.ask("vendorEmail", { id, email: address });
    await beGuest(page, market);
    await page.goto(`/vendors/${slug}`);
    await page.getByRole("button", { name: `Message ${name}`, exact: true }).click();
    const gate = page.getByRole("dialog").last();
    await expect(gate.getByRole("heading", { name: "Log in to message a stall" })).toBeVisible();
    await gate.getByRole("button", { name: "Sign Up" }).click();
    await register(gate, newPerson(), market.zip);
    const compose = page.getByRole("dialog").last();
    await expect(compose.getByRole("heading", { name: `Message ${name}`, exact: true })).toBeVisible();
    await compose.getByRole("textbox", { name: "Your message" }).fill("Do you have goose eggs?");
    await compose.getByRole("button", { name: "Send" }).click();
    await expect(compose.getByText("Your message is on its way")).toBeVisible();
    await compose.getByRole("button", { name: "See the conversation" }).click();
    await expect(page).toHaveURL(/\/inbox\/\d+$/);
    await expect(page.getByRole("dialog").getByText("Do you have goose eggs?")).toBeVisible();

    await expect.poll(async () => (await market.ask("mails", { to: address })).length).toBe(1);
    const [mail] = await market.ask("mails", { to: address });
    const link = /\/answer\/[0-9a-f-]{36}\.[\w-]{43}/.exec(mail!.replaceAll("=\n", ""))?.[0];
    const context = await browser.newContext({ javaScriptEnabled: false });
    const farm = await context.newPage();
    const reading = await browser.newContext();
    const reader = await reading.newPage();
    await reader.goto(`${market.address}${link}`);
    await expectAccessible(reader);
    await reading.close();
    await farm.goto(`${market.address}${link}`);
    await expect(farm.getByRole("heading", { name: "Anna M. wrote to Goose Hill" })).toBeVisible();
    await expect(farm.getByText("Do you have goose eggs?")).toBeVisible();
    await farm.getByRole("textbox", { name: "Your answer" }).fill("From April on.");
    await farm.getByRole("button", { name: "Send the answer" }).click();
    await expect(farm.getByRole("heading", { name: "This was answered" })).toBeVisible();
    await context.close();

    await page.goto("/inbox");
    await expect(page.getByText("From April on.")).toBeVisible();
    await expect(page.getByText("(unread)")).toBeAttached();
  },
);

test("a product links to its vendor's inbox", { tag: ["@spec:5-41"] }, async ({ page, market }) => {
  const { slug } = await market.ask("product", { title: "Barley Flour" });
  const { email } = await market.ask("customer", {});
  await beCustomer(page, market, { email, password: market.customer.password });
  await page.goto(`/product/${slug}`);
  const open = page.getByRole("dialog").getByRole("button", { name: /^Message / });
  await open.click();
  const compose = page.getByRole("dialog").last();
  await compose.getByRole("textbox", { name: "Your message" }).fill("Kept for later");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(open).toBeFocused();
  await open.click();
  await expect(page.getByRole("textbox", { name: "Your message" })).toHaveValue("Kept for later");
});

test("a reply stays when a read of its thread that began before it is answered after it", async ({ page, market }) => {
  const { email } = await market.ask("customer", {});
  const [id] = await market.ask("threads", { email, messages: [[{ sender: "U", message: "Are the pears ripe?" }]] });
  await beCustomer(page, market, { email, password: market.customer.password });
  await page.goto("/inbox");
  const first = page.getByRole("list", { name: "Conversations" }).getByRole("listitem").first();
  await first.getByRole("link").click();
  const thread = page.getByRole("dialog");
  await expect(thread.getByText("Are the pears ripe?")).toBeVisible();
  await page.goBack();
  await expect(thread).toHaveCount(0);

  const address = `**/api/inbox/${id}`;
  const read = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    const before = await route.fetch();
    read.resolve();
    await answer.promise;
    // The page may have dropped the request.
    await route.fulfill({ response: before }).catch(() => {});
    over.resolve();
  });
  await first.getByRole("link").click();
  await read.promise;
  await thread.getByRole("textbox", { name: /^Reply to / }).fill("Next week.");
  await thread.getByRole("button", { name: "Send" }).click();
  const mine = thread.getByText("Next week.", { exact: true });
  await expect(mine).toBeVisible();
  await expect(thread.getByText("Sending…")).toHaveCount(0);
  answer.resolve();
  await over.promise;
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });
  await expect(mine).toBeVisible();
});

test("a reply is shown once, and as sent, while the list of conversations is read again", async ({ page, market }) => {
  const { email } = await market.ask("customer", {});
  await market.ask("threads", { email, messages: [[{ sender: "U", message: "Are the pears ripe?" }]] });
  await beCustomer(page, market, { email, password: market.customer.password });
  await page.goto("/inbox");
  await page.getByRole("list", { name: "Conversations" }).getByRole("link").click();
  const thread = page.getByRole("dialog");
  await expect(thread.getByText("Are the pears ripe?")).toBeVisible();
  const requested = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route(/\/api\/inbox(?:\?|$)/, async (route) => {
    requested.resolve();
    await answer.promise;
    await route.continue();
  });
  await thread.getByRole("textbox", { name: /^Reply to / }).fill("Next week.");
  await thread.getByRole("button", { name: "Send" }).click();
  await requested.promise;
  await expect(thread.getByText("Sending…")).toHaveCount(0);
  await expect(thread.getByText("Next week.", { exact: true })).toHaveCount(1);
  answer.resolve();
});
