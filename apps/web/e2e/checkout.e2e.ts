import type { FrameLocator } from "@playwright/test";

import { expectAccessible } from "./lib/axe.ts";
import { expect, test } from "./lib/fixtures.ts";
import { press, tabTo } from "./lib/keyboard.ts";
import { askApi, beNewCustomer, placeByApi } from "./lib/orders.ts";
import {
  addressIn,
  beGuest,
  checkoutFrame,
  fillAddress,
  fillCard,
  newPerson,
  orderPlaced,
  placeButton,
  putInCart,
  registerInFrame,
  testCard,
} from "./lib/shopper.ts";

/** What there is to fill in at this moment; a choice among radios is one. */
const fieldsIn = (frame: FrameLocator): Promise<string[]> =>
  frame.locator("input, select, textarea").evaluateAll((nodes) => {
    const seen = nodes.filter((node) => node.getClientRects().length > 0 && node.getAttribute("type") !== "hidden");
    return [
      ...new Set(
        seen.map((node, place) =>
          node.getAttribute("type") === "radio" ? `radio ${node.getAttribute("name")}` : `field ${place}`,
        ),
      ),
    ];
  });

/** Buys a gift card for the shopper; returns its code. */
async function giftCode(page: Parameters<typeof askApi>[0], market: Parameters<typeof askApi>[1], email: string) {
  const to = `friend.${email}`;
  const deliverOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await askApi(page, market, "POST", "/gift-cards", {
    amount: 100,
    recipientEmail: to,
    message: "",
    deliverOn,
    card: testCard,
  });
  return market.ask("giftCode", { to });
}

test("checkout: no step has more than eight fields", async ({ page, market }) => {
  const honey = await market.ask("product", { title: "Eight Honey", inventory: 20 });
  await beGuest(page, market);
  await putInCart(page, market, [honey]);
  await page.goto("/shop");
  await page.getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  const expectFew = async (least: number) => {
    const fields = await fieldsIn(frame);
    expect(fields.length).toBeGreaterThanOrEqual(least);
    expect(fields.length).toBeLessThanOrEqual(8);
  };
  await expect(frame.getByLabel("First name")).toBeVisible();
  await expectFew(5);
  await registerInFrame(frame, newPerson(), market.zip);
  await expect(frame.getByLabel("Street address")).toBeVisible();
  await expectFew(5);
  // A card that is chosen has a drawn dot, of borders, which forced colors keep; the other one has none.
  for (const forcedColors of ["none", "active"] as const) {
    await page.emulateMedia({ forcedColors });
    const dots = frame.getByRole("radio").evaluateAll((radios) =>
      radios.map((radio) => {
        const { content, borderTopWidth } = getComputedStyle(radio, "::before");
        return content === "none" ? 0 : Number.parseFloat(borderTopWidth);
      }),
    );
    expect(await dots).toEqual([expect.closeTo(5.4, 0), 0]);
  }
  await page.emulateMedia({ forcedColors: "none" });
  await frame.getByRole("radio", { name: /^Pickup/ }).check({ force: true });
  await expect(frame.getByRole("radio", { name: /^Depot 1/ })).toBeVisible();
  await expectFew(2);
  await frame.getByRole("radio", { name: /^Home delivery/ }).check({ force: true });
  await fillAddress(frame, addressIn(market));
  await expect(frame.getByRole("heading", { name: "Payment" })).toBeFocused();
  await expect(frame.getByLabel("Card number")).toBeVisible();
  await expect(frame.getByRole("radio", { name: "No tip" })).toBeChecked();
  await expectFew(5);
  await frame.getByRole("button", { name: "Change tip and notes" }).click();
  await expect(frame.getByRole("heading", { name: "Tip and notes" })).toBeFocused();
  await expectFew(4);
});

test("checkout: a returning customer pays with one tap", async ({ page, market }) => {
  const oats = await market.ask("product", { title: "Tap Oats", inventory: 20 });
  const { email } = await beNewCustomer(page, market);
  const before = await placeByApi(page, market, [oats]);
  await market.ask("orderStatus", { id: before, status: "closed" });
  await putInCart(page, market, [oats]);
  await page.goto("/shop");
  await page.getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await expect(frame.getByRole("heading", { level: 1, name: "Checkout" })).toBeVisible();
  // Address, card and price are there: nothing to fill in, nothing to choose.
  await expect(placeButton(frame)).not.toHaveAttribute("aria-disabled");
  await placeButton(frame).click();
  const id = await orderPlaced(page);
  expect(await market.ask("order", { id })).toMatchObject({ email, status: "open", type: "delivery", ledgerSum: 0 });
  expect(await market.ask("orderCount", { email })).toBe(2);
  expect(await market.ask("audit")).toEqual([]);
});

test("checkout: a code from the cart is in its field and can be removed; a pass shows free delivery", async ({
  page,
  market,
}) => {
  const code = `CART${process.pid}${Date.now() % 100_000}`;
  await market.ask("discountCode", { code, percent: 10 });
  const plum = await market.ask("product", { title: "Code Plums", priceCents: 1000, inventory: 20 });
  await beNewCustomer(page, market);
  await putInCart(page, market, [{ ...plum, quantity: 2 }]);
  await askApi(page, market, "PUT", "/cart/discount", { code });
  await askApi(page, market, "POST", "/wagon-pass", { plan: "yearly", card: testCard });
  await page.goto("/shop");
  await page.getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  const discount = frame.getByText(/^[-−]\$2\.00$/).first();
  await expect(discount).toBeVisible();
  await frame.getByRole("button", { name: "Change tip and notes" }).click();
  await expect(frame.getByLabel("Discount code (optional)")).toHaveValue(code);
  await frame.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(discount).toHaveCount(0);
  const field = frame.getByLabel("Discount code (optional)");
  await expect(field).toHaveValue("");
  // A wrong one does not bring back the one that was taken off.
  await field.fill("NOPE");
  const priced = page.waitForResponse((answer) => answer.url().endsWith("/checkout/quote") && answer.ok());
  await frame.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(frame.getByText("There is no such code.").first()).toBeVisible();
  expect(((await (await priced).json()) as { discountAmount: number }).discountAmount).toBe(0);
  await expect(discount).toHaveCount(0);
  await frame.getByRole("button", { name: "Change delivery or pickup" }).click();
  await expect(frame.getByRole("radio", { name: /^Home delivery.*Free/ })).toBeAttached();
});

test("checkout: a gift card's code is redeemed and pays, by keyboard alone", async ({ page, market }) => {
  const honey = await market.ask("product", { title: "Gift Honey", priceCents: 900, inventory: 20 });
  const { email } = await beNewCustomer(page, market);
  const code = await giftCode(page, market, email);
  await putInCart(page, market, [honey]);
  await page.goto("/shop");
  const checkout = page
    .getByRole("complementary", { name: "Shopping panel" })
    .getByRole("button", { name: "Checkout" });
  // The way there with the Tab key is tested by the first purchase.
  await checkout.focus();
  await page.keyboard.press("Enter");

  const frame = checkoutFrame(page);
  await expect(frame.getByRole("heading", { level: 1, name: "Checkout" })).toBeFocused();
  await tabTo(page, frame.getByRole("button", { name: "Change tip and notes" }));
  await page.keyboard.press("Enter");
  await expect(frame.getByRole("heading", { name: "Tip and notes" })).toBeFocused();
  const field = frame.getByLabel("Gift card code (optional)");
  await press(page, field, "AAAA-BBBB-CCCC-DDDD");
  await page.keyboard.press("Enter");
  // The error is shown at the field, and the typed text stays.
  await expect(frame.getByText("This code is not valid, or it was used already.").first()).toBeVisible();
  await expect(field).toHaveValue("AAAA-BBBB-CCCC-DDDD");
  await expectAccessible(page);
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
  await expect(frame.getByText("Added. You have $100.00 of store credit.")).toBeVisible();
  await expect(frame.getByRole("checkbox", { name: "Use my store credit of $100.00" })).toBeChecked();
  await tabTo(page, frame.getByRole("button", { name: "Continue" }));
  await page.keyboard.press("Enter");

  await expect(frame.getByRole("heading", { name: "Payment" })).toBeFocused();
  await expect(frame.getByLabel("Card number")).toHaveCount(0);
  await tabTo(page, placeButton(frame));
  await expect(placeButton(frame)).not.toHaveAttribute("aria-disabled");
  await page.keyboard.press("Enter");
  const id = await orderPlaced(page);
  const { orderTotalCents } = await market.ask("order", { id });
  const { credit } = await askApi<{ credit: number }>(page, market, "GET", "/account/profile");
  expect(Math.round(credit * 100)).toBe(10_000 - orderTotalCents);
  expect(await market.ask("audit")).toEqual([]);
});

test("an expired authorization: the cart says so and links to the cards", async ({ page, market }) => {
  const rye = await market.ask("product", { title: "Held Rye", inventory: 20 });
  await beNewCustomer(page, market);
  const id = await placeByApi(page, market, [rye]);
  await market.ask("loseHold", { id });
  await page.goto("/shop");
  const cart = page.getByRole("complementary", { name: "Shopping panel" });
  await expect(cart.getByText(`Your bank no longer holds the money for order ${id}.`)).toBeVisible();
  await expect(cart.getByText(/^The order stays open\. Your default card is charged when it closes/)).toBeVisible();
  await expectAccessible(page);
  await cart.getByRole("link", { name: "Find out more" }).click();
  await page.getByRole("main").getByRole("button", { name: "Payment methods" }).click();
  const frame = page.frameLocator('iframe[title="Payment methods"]');
  await fillCard(frame, "5555555555554444");
  await frame.getByRole("button", { name: "Save card" }).click();
  await expect(frame.getByRole("button", { name: /^Make .*4444.* the default$/ })).toBeVisible();
});

for (const word of ["close-without-refresh", "close-with-refresh"] as const)
  test(
    `checkout frame: ${word} closes it and leaves the shop`,
    { tag: ["@spec:4-35", "@spec:2.4-64"] },
    async ({ page, market }) => {
      const plums = await market.ask("product", { title: "Closing Plums", inventory: 9 });
      await beGuest(page, market);
      await putInCart(page, market, [plums]);
      await page.goto("/shop");
      await page.getByRole("button", { name: "Checkout" }).click();
      await expect(checkoutFrame(page).getByRole("heading", { level: 1, name: "Checkout" })).toBeVisible();
      let carts = 0;
      page.on("request", (request) => {
        if (new URL(request.url()).pathname === "/api/cart" && request.method() === "GET") carts += 1;
      });
      const frame = page.frames().find((each) => each.url().includes("/embed/checkout"))!;
      await frame.evaluate((text) => window.parent.postMessage(text, window.location.origin), word);
      await expect(page.locator('iframe[title="Checkout"]')).toHaveCount(0);
      await expect(page).toHaveURL(/\/shop$/);
      if (word === "close-with-refresh") await expect.poll(() => carts).toBeGreaterThan(0);
    },
  );
