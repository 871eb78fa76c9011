import { expect, test } from "./lib/fixtures.ts";
import { beCustomer, checkoutFrame, orderPlaced, placeButton, putInCart } from "./lib/shopper.ts";

test.use({ payments: "offline" });

test("a market without cards: the order is paid at pickup or at the door", async ({ page, market }) => {
  const { email } = await market.ask("customer", { address: true });
  const product = await market.ask("product", { title: "Cash Carrots", inventory: 4 });
  await beCustomer(page, market, { email, password: market.customer.password });
  await putInCart(page, market, [product]);
  await page.goto("/shop");
  await page.getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await expect(frame.getByText("Pay at pickup or at the door. Nothing is charged now.")).toBeVisible();
  await expect(frame.getByLabel("Card number")).toHaveCount(0);
  await placeButton(frame).click();
  const id = await orderPlaced(page);
  expect(await market.ask("order", { id })).toMatchObject({ email, status: "open", ledgerSum: 0 });
});
