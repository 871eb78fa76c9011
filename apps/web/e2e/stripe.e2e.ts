import { fakeStripeScript } from "./lib/fake-stripe-script.ts";
import { expect, test } from "./lib/fixtures.ts";
import {
  addressIn,
  cards,
  checkoutFrame,
  comeIn,
  fillAddress,
  newPerson,
  newProduct,
  orderPlaced,
  placeButton,
  plusOf,
  register,
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
  await register(frame, person, shop.zip);
  await fillAddress(frame, addressIn(shop));
  await frame.getByRole("button", { name: "Continue" }).click();
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
  await register(frame, newPerson(), shop.zip);
  await fillAddress(frame, addressIn(shop));
  await frame.getByRole("button", { name: "Continue" }).click();
  await expect(frame.getByText("The card form could not be loaded.")).toBeVisible();
  isDown = false;
  await frame.getByRole("button", { name: "Retry" }).click();
  await expect(frame.getByLabel("Card number")).toBeVisible();
});
