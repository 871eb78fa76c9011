import type { Page } from "@playwright/test";

import { expect, test } from "./lib/fixtures.ts";
import { askApi, beNewCustomer } from "./lib/orders.ts";
import {
  addressIn,
  checkoutFrame,
  fillAddress,
  fillCard,
  nameOfItsOwn,
  orderPlaced,
  placeButton,
  putInCart,
} from "./lib/shopper.ts";

const LINE = "Also use this for automatic orders and next time";
const section = (page: Page) => page.getByRole("dialog").getByRole("region", { name: "How you receive your orders" });

async function openCheckout(page: Page) {
  await page.goto("/shop");
  await page.getByRole("button", { name: "Checkout" }).click();
  return checkoutFrame(page);
}

test("checkout: an order at a pickup point and its card are for automatic orders and next time, and My Subscriptions shows and changes it", async ({
  page,
  market,
}) => {
  await beNewCustomer(page, market);
  const peas = await market.ask("product", { title: nameOfItsOwn("Place Peas"), inventory: 9 });
  await putInCart(page, market, [peas]);
  const frame = await openCheckout(page);
  await expect(frame.getByText(/12 Oak St/).first()).toBeVisible();
  const line = frame.getByRole("checkbox", { name: LINE, exact: true });
  await fillCard(frame);
  await expect(placeButton(frame)).toBeVisible();
  await frame.getByLabel("Save this card for next time").check();
  await expect(line).toBeChecked();
  await expect(frame.getByText("the card you typed", { exact: true })).toBeVisible();
  await frame.getByRole("button", { name: "Change delivery or pickup" }).click();
  await frame.getByRole("radio", { name: /^Pickup/ }).check();
  const point = frame.getByRole("group", { name: "Pickup point" }).getByRole("radio").first();
  await point.check();
  await frame.getByRole("button", { name: "Continue" }).click();
  await expect(frame.getByText(/^Pickup at .*, and the card you typed$/)).toBeVisible();
  await placeButton(frame).click();
  await orderPlaced(page);

  await page.goto("/subscription");
  await expect(section(page).getByText(/^Pickup at /)).toBeVisible();
  await expect(section(page).getByText("Free", { exact: true })).toBeVisible();
  await expect(section(page).getByText("Automatic orders charge Visa ending in 4242")).toBeVisible();
  await section(page).getByRole("button", { name: "Change where it goes" }).press("Enter");
  await expect(section(page).getByRole("radio", { name: /^Pickup/ })).toBeFocused();
  await section(page)
    .getByRole("radio", { name: /^Home delivery/ })
    .check();
  await section(page).getByRole("button", { name: "Update" }).press("Enter");
  await expect(section(page).getByRole("heading", { name: "How you receive your orders" })).toBeFocused();
  await expect(section(page).getByText(/^Home delivery to 12 Oak St/)).toBeVisible();
  await expect(section(page).getByText("$8.95 a box")).toBeVisible();
  expect(await askApi(page, market, "GET", "/account/profile")).toMatchObject({ fulfillment: { type: "delivery" } });
  expect(await market.ask("audit")).toEqual([]);
});

test("checkout: the line for next time switched off keeps the stored place, which the next checkout starts with", async ({
  page,
  market,
}) => {
  await beNewCustomer(page, market);
  const peas = await market.ask("product", { title: nameOfItsOwn("Gift Peas"), inventory: 9 });
  await putInCart(page, market, [peas]);
  const frame = await openCheckout(page);
  await frame.getByRole("button", { name: "Change delivery or pickup" }).click();
  await frame.getByRole("button", { name: "Change address" }).click();
  await fillAddress(frame, { ...addressIn(market), street: "9 Friend Lane" });
  await fillCard(frame);
  const line = frame.getByRole("checkbox", { name: LINE, exact: true });
  await expect(line).toBeChecked();
  await expect(frame.getByText(/^Home delivery to 9 Friend Lane/)).toBeVisible();
  await line.uncheck();
  await expect(frame.getByText(/^They keep Home delivery to 12 Oak St/)).toBeVisible();
  await placeButton(frame).click();
  const id = await orderPlaced(page);
  expect(await askApi(page, market, "GET", `/orders/${id}`)).toMatchObject({
    deliveryAddress: { address: "9 Friend Lane" },
  });
  await putInCart(page, market, [peas]);
  await openCheckout(page);
  await expect(frame.getByText(/12 Oak St/).first()).toBeVisible();
  await expect(frame.getByText(/Friend Lane/)).toHaveCount(0);
});

test("checkout: while the line for next time has not come, an order to another address keeps the stored place", async ({
  page,
  market,
}) => {
  await beNewCustomer(page, market);
  const peas = await market.ask("product", { title: nameOfItsOwn("Late Peas"), inventory: 9 });
  await putInCart(page, market, [peas]);
  const line = Promise.withResolvers<void>();
  await page.route(/\/assets\/next-time-[^/]*\.js/, () => line.resolve());
  const frame = await openCheckout(page);
  await frame.getByRole("button", { name: "Change delivery or pickup" }).click();
  await frame.getByRole("button", { name: "Change address" }).click();
  await fillAddress(frame, { ...addressIn(market), street: "9 Friend Lane" });
  await fillCard(frame);
  await line.promise;
  await placeButton(frame).click();
  const id = await orderPlaced(page);
  expect(await askApi(page, market, "GET", `/orders/${id}`)).toMatchObject({
    deliveryAddress: { address: "9 Friend Lane" },
  });
  expect(await askApi(page, market, "GET", "/account/profile")).toMatchObject({
    fulfillment: { deliveryAddress: { address: expect.stringContaining("12 Oak St") } },
  });
});
