import { fakeStripeScript, type FakeStripeWindow } from "./lib/fake-stripe-script.ts";
import { expect, test } from "./lib/fixtures.ts";
import { beNewCustomer } from "./lib/orders.ts";
import {
  addressIn,
  alertIn,
  cards,
  checkoutFrame,
  comeIn,
  fillAddress,
  newPerson,
  newProduct,
  orderPlaced,
  placeButton,
  plusOf,
  putInCart,
  registerInFrame,
  tileOf,
} from "./lib/shopper.ts";

test.use({ payments: "stripe" });

test("Stripe: a payment by its form, with a bank challenge, saves the card", async ({ page, shop }) => {
  await fakeStripeScript(page, shop);
  const before = new Set((await shop.ask("stripeLedger")).map(({ ref }) => ref));
  const person = newPerson();
  const { title } = await newProduct(shop, "Charged Chard");
  await comeIn(page, shop.zip);
  await plusOf(tileOf(page, title)).click();
  await page.getByRole("complementary", { name: "Shopping panel" }).getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await registerInFrame(frame, person, null);
  await fillAddress(frame, addressIn(shop));
  const number = frame.getByLabel("Card number");

  // Stripe's form shows the error; no request was sent to the market.
  await number.fill("4242");
  await placeButton(frame).click();
  await expect(frame.getByText("Your card number is incomplete.")).toBeVisible();
  await number.fill(cards.declined);
  await placeButton(frame).click();
  await expect(frame.getByText("Your card was declined.")).toBeVisible();

  await number.fill(cards.challenge);
  await frame.getByLabel("Save this card for next time").check();
  await placeButton(frame).click();
  await frame.getByRole("button", { name: "Yes, it is me" }).click();
  const id = await orderPlaced(page);
  expect(await shop.ask("order", { id })).toMatchObject({ status: "open", email: person.email, ledgerSum: 0 });
  const held = (await shop.ask("stripeLedger")).filter(({ ref, heldCents }) => heldCents > 0 && !before.has(ref));
  expect(held).toMatchObject([
    { status: "requires_capture", heldCents: (await shop.ask("order", { id })).orderTotalCents },
  ]);
  expect(await shop.ask("audit")).toEqual([]);

  // The next time the card is there.
  await page.goto("/embed/payment");
  await expect(page.getByText("Visa ending in 3155")).toBeVisible();
});

test("a script that does not load shows an error and can be retried", async ({ page, shop }) => {
  let isDown = true;
  await fakeStripeScript(page, shop);
  await page.route("https://js.stripe.com/**", (route) => (isDown ? route.abort() : route.fallback()));
  const { title } = await newProduct(shop, "Retried Radishes");
  await comeIn(page, shop.zip);
  await plusOf(tileOf(page, title)).click();
  await page.getByRole("complementary", { name: "Shopping panel" }).getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await registerInFrame(frame, newPerson(), null);
  await fillAddress(frame, addressIn(shop));
  await expect(frame.getByText("The card form could not be loaded.")).toBeVisible();
  isDown = false;
  await frame.getByRole("button", { name: "Retry" }).click();
  await expect(frame.getByLabel("Card number")).toBeVisible();
});

test("Stripe: pressed twice, one token is made; after a decline the next try makes one more", async ({
  page,
  shop,
}) => {
  await fakeStripeScript(page, shop);
  const { email } = await beNewCustomer(page, shop);
  await putInCart(page, shop, [shop.products[0]!]);
  await page.goto("/shop");
  await page.getByRole("complementary", { name: "Shopping panel" }).getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  const number = frame.getByLabel("Card number");
  await number.fill(cards.declined);
  const root = frame.locator(":root");
  const tokensMade = () => root.evaluate(() => (window as FakeStripeWindow).tokensMade ?? 0);
  await root.evaluate(() => {
    const fake = window as FakeStripeWindow;
    fake.tokenMayCome = new Promise((resolve) => (fake.letTokenCome = resolve));
  });
  // Two presses of one moment.
  await placeButton(frame).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  const busy = frame.getByRole("button", { name: "Placing your order…" });
  await expect(busy).toBeVisible();
  await busy.click({ force: true });
  await number.press("Enter");
  expect(await tokensMade()).toBe(1);
  await root.evaluate(() => (window as FakeStripeWindow).letTokenCome?.());
  await expect(alertIn(frame)).toContainText("Your card was declined.");
  expect(await tokensMade()).toBe(1);

  await number.fill(cards.good);
  await placeButton(frame).click();
  await expect.poll(tokensMade).toBe(2);
  await orderPlaced(page);
  expect(await shop.ask("orderCount", { email })).toBe(1);
});
