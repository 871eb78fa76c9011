import type { Locator } from "@playwright/test";

import { expect, test } from "./lib/fixtures.ts";
import { askApi, beNewCustomer } from "./lib/orders.ts";
import { checkoutFrame, expiry, newProduct, orderPlaced, placeButton, putInCart } from "./lib/shopper.ts";

/** Pastes as a person does: the field's limits apply. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.fill("");
  await field.focus();
  await field.page().keyboard.insertText(text);
}

test("checkout: notes and directions of two lines, a pasted ZIP+4 and a pasted card are ordered, and the receipt shows every line", async ({
  page,
  market,
}) => {
  const pears = await newProduct(market, "Two Line Pears");
  await beNewCustomer(page, market);
  await putInCart(page, market, [pears]);
  await page.goto("/shop");
  await page.getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await frame.getByRole("button", { name: "Change delivery or pickup" }).click();
  await frame.getByRole("button", { name: "Change address" }).click();
  await paste(frame.getByLabel("Zip code"), ` ${market.zip}-1234 `);
  await expect(frame.getByLabel("Zip code")).toHaveValue(market.zip);
  const directions = frame.getByLabel("How to find the door (optional)");
  await directions.fill("");
  await directions.pressSequentially("Past the barn");
  await directions.press("Enter");
  await directions.pressSequentially("Blue door");
  await frame.getByRole("button", { name: "Continue" }).click();
  await frame.getByRole("button", { name: "Change tip and notes" }).click();
  const notes = frame.getByLabel("Delivery notes (optional)");
  await notes.pressSequentially("Gate code 4471");
  await notes.press("Enter");
  await notes.pressSequentially("Leave in the cooler");
  await frame.getByRole("button", { name: "Continue" }).click();
  await paste(frame.getByLabel("Card number"), "4242\u00A04242\u00A04242\u00A04242");
  await paste(frame.getByLabel("Expires"), expiry);
  await paste(frame.getByLabel("Security code"), " 123\u200B");
  await placeButton(frame).click();
  const id = await orderPlaced(page);
  expect(await askApi(page, market, "GET", `/orders/${id}`)).toMatchObject({
    deliveryNotes: "Gate code 4471\nLeave in the cooler",
    deliveryAddress: { zipCode: market.zip, instructions: "Past the barn\nBlue door" },
  });
  const delivery = page.getByRole("region", { name: "Delivery" });
  for (const lines of ["Gate code 4471\nLeave in the cooler", "Past the barn\nBlue door"])
    expect(await delivery.innerText()).toContain(lines);
});

test("My Details: a phone number with the marks of a contact card is saved without them, and directions take two lines", async ({
  page,
  market,
}) => {
  await beNewCustomer(page, market);
  await page.goto("/account");
  const dialog = page.getByRole("dialog");
  await paste(dialog.getByLabel("Phone"), "\u202A(317)\u00A0555\u20110142\u202C");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Profile updated").first()).toBeVisible();
  await expect(dialog.getByLabel("Phone")).toHaveValue("(317) 555-0142");
  const address = dialog.getByRole("region", { name: "How you receive your orders" });
  await paste(address.getByLabel("How to find the door (optional)"), "Past the barn\r\nBlue door");
  await paste(address.getByLabel("Zip code"), `\u200B${market.zip}\u20131234`);
  await address.getByLabel("City").fill("Noblesville");
  const saved = page.waitForResponse((answer) => answer.request().method() === "PUT" && answer.ok());
  await address.getByRole("button", { name: "Update" }).click();
  await saved;
  expect(await askApi(page, market, "GET", "/account/profile")).toMatchObject({
    phone: "(317) 555-0142",
    deliveryAddress: { city: "Noblesville", zipCode: market.zip, instructions: "Past the barn\nBlue door" },
  });
});
