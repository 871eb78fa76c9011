import type { Page } from "@playwright/test";

import { expect, test, type TestMarket } from "./lib/fixtures.ts";
import { beNewCustomer, holdAnswer } from "./lib/orders.ts";
import { cards, checkoutFrame, fillCard, orderPlaced, placeButton, putInCart } from "./lib/shopper.ts";

const frameOf = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`);
const question = (page: Page) => page.getByRole("dialog", { name: "Your payment is still going through" });

/** A new customer in the gift card's frame, with a gift for a friend typed in. */
async function withGift(page: Page, market: TestMarket) {
  const { email } = await beNewCustomer(page, market);
  const friend = `friend.${email}`;
  await page.goto("/more");
  await page.getByRole("main").getByRole("button", { name: "Gift cards" }).click();
  const frame = frameOf(page, "Gift cards");
  await frame.getByLabel("Recipient’s email").fill(friend);
  await fillCard(frame);
  return { email, friend, frame, buy: frame.getByRole("button", { name: /^Buy the gift card/ }) };
}

for (const way of ["Esc", "Esc inside the frame", "the close button", "the browser's Back"] as const)
  test(`gift card: ${way} while it is paid confirms once; opened again, it is bought once and says so`, async ({
    page,
    market,
  }) => {
    const { email, friend, frame, buy } = await withGift(page, market);
    const { answered, release } = await holdAnswer(page, "/gift-cards");
    await buy.click();
    expect(await answered).toBe(201);
    const leave = async () => {
      if (way === "Esc") await page.getByRole("dialog", { name: "Gift cards" }).press("Escape");
      else if (way === "Esc inside the frame") await frame.getByRole("heading", { level: 1 }).press("Escape");
      else if (way === "the close button") await page.getByRole("button", { name: "Close" }).click();
      else await page.goBack();
    };
    await leave();
    await question(page).getByRole("button", { name: "Stay" }).click();
    await expect(question(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/gift-card$/);
    await leave();
    await question(page).getByRole("button", { name: "Leave anyway" }).click();
    await expect(page).toHaveURL(/\/more$/);
    await expect(page.locator("iframe")).toHaveCount(0);
    release();
    await page.getByRole("main").getByRole("button", { name: "Gift cards" }).click();
    await expect(frame.getByRole("heading", { name: "Your gift card was bought" })).toBeVisible();
    await expect(frame.getByText(`$50.00 for ${friend}, paid once.`)).toBeVisible();
    // The next one is another.
    await frame.getByRole("button", { name: "Send another gift card" }).click();
    await expect(frame.getByLabel("Recipient’s email")).toHaveValue("");
    expect(await market.ask("purchaseCount", { email })).toBe(1);
    await frame.getByLabel("Recipient’s email").fill(friend);
    await fillCard(frame);
    await buy.click();
    await expect(frame.getByRole("heading", { name: `$50.00 for ${friend}`, exact: true })).toBeVisible();
    expect(await market.ask("purchaseCount", { email })).toBe(2);
    expect(await market.ask("audit")).toEqual([]);
  });

test("gift card: after a lost answer another press, with another amount, finds what was bought and buys nothing", async ({
  page,
  market,
}) => {
  const { email, friend, frame, buy } = await withGift(page, market);
  const { release } = await holdAnswer(page, "/gift-cards", { lost: true });
  release();
  await buy.click();
  await expect(frame.getByRole("alert").filter({ hasText: "We couldn't reach the market." })).toBeVisible();
  await frame.getByLabel("Or another amount, in dollars").fill("75");
  await buy.click();
  await expect(frame.getByText(`$50.00 for ${friend}, paid once.`)).toBeVisible();
  expect(await market.ask("purchaseCount", { email })).toBe(1);
});

test("gift card: after a reload while it is paid, the page says that it is bought", async ({ page, market }) => {
  const { email, frame, buy } = await withGift(page, market);
  const { answered } = await holdAnswer(page, "/gift-cards");
  await buy.click();
  await answered;
  await page.reload();
  await expect(frame.getByRole("heading", { name: "Your gift card was bought" })).toBeVisible();
  expect(await market.ask("purchaseCount", { email })).toBe(1);
});

test("gift card: the bank's question is there again after a reload, without an amount, and its answer buys one", async ({
  page,
  market,
}) => {
  const { email, frame, buy } = await withGift(page, market);
  await fillCard(frame, cards.challenge);
  await buy.click();
  await expect(frame.getByText("Approve the payment of $50.00?")).toBeVisible();
  await page.reload();
  await expect(frame.getByText("Approve the payment that you began?")).toBeVisible();
  await frame.getByRole("button", { name: "Approve" }).click();
  await expect(frame.getByRole("heading", { name: "Your gift card was bought" })).toBeVisible();
  expect(await market.ask("purchaseCount", { email })).toBe(1);
});

test("gift card: another customer in the tab gets neither the result nor the key of a payment that was left", async ({
  page,
  market,
}) => {
  const { friend, frame, buy } = await withGift(page, market);
  const { answered } = await holdAnswer(page, "/gift-cards");
  await buy.click();
  await answered;
  const { email } = await beNewCustomer(page, market);
  await page.goto("/gift-card");
  await expect(frame.getByLabel("Recipient’s email")).toHaveValue("");
  await expect(frame.getByText(friend)).toHaveCount(0);
  await frame.getByLabel("Recipient’s email").fill("second@example.com");
  await fillCard(frame);
  await buy.click();
  await expect(frame.getByRole("heading", { name: "$50.00 for second@example.com" })).toBeVisible();
  expect(await market.ask("purchaseCount", { email })).toBe(1);
});

test("gift card: a declined card ends the attempt; the next press pays with another card, once", async ({
  page,
  market,
}) => {
  const { email, frame, buy } = await withGift(page, market);
  await fillCard(frame, cards.declined);
  await buy.click();
  await expect(frame.getByRole("alert").filter({ hasText: /declined/i })).toBeVisible();
  await page.reload();
  await fillCard(frame);
  await buy.click();
  await expect(frame.getByRole("button", { name: "Send another gift card" })).toBeVisible();
  expect(await market.ask("purchaseCount", { email })).toBe(1);
});

test("wagon pass: left while it is paid and opened again, the one pass is active", async ({ page, market }) => {
  const { email } = await beNewCustomer(page, market);
  await page.goto("/more");
  await page.getByRole("main").getByRole("button", { name: "Wagon pass" }).click();
  const frame = frameOf(page, "Wagon pass");
  await fillCard(frame);
  const { answered, release } = await holdAnswer(page, "/wagon-pass");
  await frame.getByRole("button", { name: /^Buy the pass/ }).click();
  await answered;
  await page.goBack();
  await question(page).getByRole("button", { name: "Leave anyway" }).click();
  await expect(page).toHaveURL(/\/more$/);
  release();
  await page.getByRole("main").getByRole("button", { name: "Wagon pass" }).click();
  await expect(frame.getByRole("heading", { name: "Your pass is active" })).toBeVisible();
  expect(await market.ask("purchaseCount", { email })).toBe(1);
});

test("saved cards: left while one is saved, and after a lost answer, the list has the card once", async ({
  page,
  market,
}) => {
  await beNewCustomer(page, market);
  await page.goto("/more");
  const opener = page.getByRole("main").getByRole("button", { name: "Payment methods" });
  await opener.click();
  const frame = frameOf(page, "Payment methods");
  const saved = frame.getByRole("list", { name: "Saved cards" }).getByRole("listitem");
  await fillCard(frame);
  const first = await holdAnswer(page, "/payment-methods");
  await frame.getByRole("button", { name: "Save card" }).click();
  await first.answered;
  await page.getByRole("button", { name: "Close" }).click();
  await question(page).getByRole("button", { name: "Leave anyway" }).click();
  first.release();
  await opener.click();
  await expect(saved).toHaveCount(1);
  const second = await holdAnswer(page, "/payment-methods", { lost: true });
  second.release();
  await fillCard(frame, "5555555555554444");
  await frame.getByRole("button", { name: "Save card" }).click();
  await expect(frame.getByRole("alert").filter({ hasText: "We couldn't reach the market." })).toBeVisible();
  await expect(saved).toHaveCount(2);
  await frame.getByRole("button", { name: "Save card" }).click();
  await expect(frame.getByText("Card saved").first()).toBeVisible();
  await expect(saved).toHaveCount(2);
});

/** A customer at the last step of the checkout. */
async function atPayment(page: Page, market: TestMarket) {
  const { email } = await beNewCustomer(page, market);
  const oats = await market.ask("product", { title: "Left Oats", inventory: 20 });
  await putInCart(page, market, [oats]);
  await page.goto("/shop");
  await page.getByRole("complementary", { name: "Shopping panel" }).getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await fillCard(frame);
  return { email, frame, oats };
}

test("checkout: left by Back while the order is placed, the page learns of the order and the cart is empty", async ({
  page,
  market,
}) => {
  const { email, frame } = await atPayment(page, market);
  const { answered, release } = await holdAnswer(page, "/checkout");
  await placeButton(frame).click();
  await expect(frame.getByText("Placing your order…")).toBeVisible();
  expect(await answered).toBe(201);
  await page.goBack();
  await expect(question(page)).toBeVisible();
  await expect(frame.getByText("Placing your order…")).toBeVisible();
  await question(page).getByRole("button", { name: "Leave anyway" }).click();
  await expect(page).toHaveURL(/\/shop$/);
  release();
  await page.getByRole("button", { name: "See it" }).click();
  await orderPlaced(page);
  await expect(page.getByRole("complementary", { name: "Shopping panel" })).toContainText("Your cart is Empty");
  expect(await market.ask("orderCount", { email })).toBe(1);
});

test("checkout: the answer arrives while leaving is confirmed: the confirmation is shown", async ({ page, market }) => {
  const { email, frame } = await atPayment(page, market);
  const { answered, release } = await holdAnswer(page, "/checkout");
  await placeButton(frame).click();
  await answered;
  await frame.getByRole("button", { name: "Close checkout" }).click();
  await expect(question(page)).toBeVisible();
  release();
  await orderPlaced(page);
  await expect(question(page)).toHaveCount(0);
  expect(await market.ask("orderCount", { email })).toBe(1);
  // The checkout's entry is gone.
  await page.goBack();
  await expect(page).toHaveURL(/\/shop$/);
  await expect(page.locator("iframe")).toHaveCount(0);
});

test("checkout: a reload while the order is placed opens the order's confirmation", async ({ page, market }) => {
  const { email, frame } = await atPayment(page, market);
  const { answered } = await holdAnswer(page, "/checkout");
  await placeButton(frame).click();
  await answered;
  await page.reload();
  await orderPlaced(page);
  expect(await market.ask("orderCount", { email })).toBe(1);
});

test("checkout: the bank's question is there again after a reload, and its answer places one order", async ({
  page,
  market,
}) => {
  const { email, frame } = await atPayment(page, market);
  await fillCard(frame, cards.challenge);
  await placeButton(frame).click();
  await expect(frame.getByRole("button", { name: "Approve" })).toBeVisible();
  await page.reload();
  await frame.getByRole("button", { name: "Approve" }).click();
  await orderPlaced(page);
  expect(await market.ask("orderCount", { email })).toBe(1);
});

test("checkout: Esc inside the frame closes it", async ({ page, market }) => {
  const { frame } = await atPayment(page, market);
  await frame.getByLabel("Card number").press("Escape");
  await expect(page.locator("iframe")).toHaveCount(0);
  await expect(page).toHaveURL(/\/shop$/);
});
