import { devices, type FrameLocator } from "@playwright/test";

import { expect, test } from "./lib/fixtures.ts";
import { choose, press, tabTo } from "./lib/keyboard.ts";
import {
  addressIn,
  cards,
  checkoutFrame,
  comeIn,
  expiry,
  fillAddress,
  fillCard,
  newPerson,
  newProduct,
  orderPlaced,
  placeButton,
  plusOf,
  registerInFrame,
  tileOf,
  titleOf,
} from "./lib/shopper.ts";

/** What must be true of a first order, wherever it came from: one order, taken stock, balanced books, a mail. */
async function expectBought(
  market: import("./lib/fixtures.ts").TestMarket,
  id: number,
  email: string,
  titles: string[],
) {
  const order = await market.ask("order", { id });
  expect(order).toMatchObject({ status: "open", email, attempts: 1, ledgerSum: 0 });
  expect(order.ledgerEntries).toBeGreaterThan(1);
  expect(order.items.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
  await expect
    .poll(() =>
      market.ask("mails", { to: email }).then((mails) => mails.filter((mail) => mail.includes(String(id))).length),
    )
    .toBe(1);
  expect(await market.ask("audit")).toEqual([]);
  return order;
}

/** What a browser's autofill and a phone's keyboard learn of each visible text field: its `autocomplete` and its `inputmode`. */
const autofillOf = (frame: FrameLocator): Promise<string[]> =>
  frame
    .locator("input:not([type=radio]):not([type=checkbox]):visible, select:visible, textarea:visible")
    .evaluateAll((fields) =>
      fields.map((field) =>
        [field.getAttribute("autocomplete"), field.getAttribute("inputmode")].filter(Boolean).join(" "),
      ),
    );

test.describe("the first purchase", () => {
  test(
    "by mouse, on a desktop",
    { tag: ["@spec:2.4-25", "@spec:2.1-26", "@spec:2.4-64", "@spec:7.12-03"] },
    async ({ page, shop }) => {
      const person = newPerson();
      const { title: first } = await newProduct(shop, "Morning Pears");
      const { title: second } = await newProduct(shop, "Evening Plums");
      await comeIn(page, shop.zip);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/’s market is open$/);

      // From the tile …
      await plusOf(tileOf(page, first)).click();
      // … and from the panel, over the shop.
      await titleOf(tileOf(page, second)).click();
      const panel = page.getByRole("dialog");
      await panel.getByRole("button", { name: /^Add to Cart · \$/ }).click();
      await panel.getByRole("button", { name: "Close" }).click();
      await expect(page).toHaveURL(/\/shop$/);
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      await expect(side.getByRole("link", { name: first, exact: true })).toBeVisible();
      await expect(side.getByRole("link", { name: second, exact: true })).toBeVisible();
      await side.getByRole("button", { name: "Checkout" }).click();

      const frame = checkoutFrame(page);
      await expect(frame.getByRole("heading", { level: 1, name: "Checkout" })).toBeVisible();
      await registerInFrame(frame, person, null);
      await fillAddress(frame, addressIn(shop));
      // The page behind is the shop, signed in, and the frame stayed where it was.
      await expect(page).toHaveURL(/\/shop$/);
      await frame.getByRole("radio", { name: "10%" }).click();
      await fillCard(frame, cards.good);
      await expect(placeButton(frame)).toBeEnabled();
      const amount = /\$(\d+\.\d\d)/.exec(await placeButton(frame).innerText())?.[1];
      await placeButton(frame).click();

      const id = await orderPlaced(page);
      const order = await expectBought(shop, id, person.email, [first, second]);
      expect(order.orderTotalCents).toBe(Math.round(Number(amount) * 100));
      expect(order.type).toBe("delivery");
      await expect(page.getByRole("heading", { name: /^Arrives / })).toBeVisible();
      await expect(page.getByText(`12 Oak Street, Carmel, IN ${shop.zip}`).first()).toBeVisible();
      await expect(side.getByText("Your cart is Empty")).toBeVisible();
      const events = await page.evaluate(() =>
        (window as { dataLayer?: { event: string }[] }).dataLayer?.map(({ event }) => event),
      );
      expect(events).toContain("add_to_cart");
    },
  );

  test.describe("on a phone", () => {
    const { defaultBrowserType: _, userAgent: __, ...phone } = devices["Pixel 7"];
    // Bar Harbor, Maine: no other hub is near.
    test.use({ ...phone, viewport: { width: 360, height: 740 }, shopZip: "04609" });

    test("by touch: nine fields and seven taps are enough for a paid home delivery; every step has one total", async ({
      page,
      shop,
    }) => {
      const person = newPerson();
      const { title } = await newProduct(shop, "Counted Carrots");
      await page.goto("/");
      await page.getByRole("dialog").getByLabel("Zip code").fill(shop.zip);
      await page.getByRole("button", { name: "Browse" }).tap();
      await plusOf(tileOf(page, title)).tap();
      await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: /^Cart/ }).tap();
      await page.getByRole("dialog").getByRole("button", { name: "Checkout" }).tap();

      // The fields of the account and of the address, and the total above them, with delivery and processing.
      const frame = checkoutFrame(page);
      const summary = frame.getByRole("region", { name: "Your order" });
      const parts = summary.getByText(/^With home delivery \$\d+\.\d\d, processing \$\d+\.\d\d/);
      await expect(parts).toBeVisible();
      const total = await summary.locator("summary strong").innerText();
      const expectSame = () => expect(summary.locator("summary strong")).toHaveText(total);
      await expect(frame.getByText(`Zip code ${shop.zip}`)).toBeVisible();
      await expect(frame.getByRole("button", { name: "Use my location" })).toHaveCount(0);
      expect(await autofillOf(frame)).toEqual(["given-name", "family-name", "email email", "new-password"]);
      await frame.getByLabel("First name").fill(person.firstName);
      await frame.getByLabel("Last name").fill(person.lastName);
      await frame.getByLabel("Email").fill(person.email);
      await frame.getByLabel("Password", { exact: true }).fill(person.password);
      await frame.getByRole("button", { name: "Create My Account" }).tap();

      await expect(frame.getByLabel("City")).toHaveValue("Bar Harbor");
      await expect(frame.getByLabel("State")).toHaveValue("ME");
      await expect(frame.getByLabel("Zip code")).toHaveValue(shop.zip);
      await expect(parts).toBeVisible();
      await expectSame();
      expect(await autofillOf(frame)).toEqual([
        "address-line1",
        "address-line2",
        "address-level2",
        "address-level1",
        "postal-code numeric",
        "off",
      ]);
      // Another ZIP code corrects what the first one filled in; the purchase does without this.
      await frame.getByLabel("Zip code").fill("60614");
      await expect(frame.getByLabel("State")).toHaveValue("IL");
      await frame.getByLabel("Zip code").fill(shop.zip);
      await expect(frame.getByLabel("City")).toHaveValue("Bar Harbor");
      await frame.getByLabel("Street address").fill("12 Oak Street");
      await frame.getByRole("button", { name: "Continue" }).tap();

      await expect(frame.getByLabel("Card number")).toBeVisible();
      await expectSame();
      expect(await autofillOf(frame)).toEqual(["cc-number numeric", "cc-exp numeric", "cc-csc numeric"]);
      await frame.getByLabel("Card number").fill(cards.good);
      await frame.getByLabel("Expires").fill(expiry);
      await frame.getByLabel("Security code").fill("123");
      await expect(placeButton(frame)).toHaveText(`Place order · ${total}`);
      await placeButton(frame).tap();

      const id = await orderPlaced(page);
      const order = await expectBought(shop, id, person.email, [title]);
      expect(order).toMatchObject({
        type: "delivery",
        tipCents: 0,
        orderTotalCents: Math.round(Number(total.slice(1)) * 100),
      });
      await expect(page.getByText(`12 Oak Street, Bar Harbor, ME ${shop.zip}`).first()).toBeVisible();
    });

    test("by touch, with pickup", { tag: ["@spec:2.4-17", "@spec:2.4-25", "@spec:2.3-01"] }, async ({ page, shop }) => {
      const person = newPerson();
      const { title } = await newProduct(shop, "Touched Turnips");
      await page.goto("/");
      const welcome = page.getByRole("dialog");
      await welcome.getByLabel("Zip code").tap();
      await welcome.getByLabel("Zip code").fill(shop.zip);
      await page.getByRole("button", { name: "Browse" }).tap();
      await expect(welcome).toHaveCount(0);

      const tile = tileOf(page, title);
      await plusOf(tile).tap();
      await titleOf(tile).tap();
      const panel = page.getByRole("dialog");
      await expect(panel.getByRole("heading", { name: title, exact: true })).toBeVisible();
      await panel.getByRole("button", { name: "Close" }).tap();
      await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: /^Cart/ }).tap();
      const cart = page.getByRole("dialog");
      await expect(cart.getByRole("link", { name: title, exact: true })).toBeVisible();
      await cart.getByRole("button", { name: "Checkout" }).tap();

      const frame = checkoutFrame(page);
      await registerInFrame(frame, person, null);
      await frame.getByRole("radio", { name: /^Pickup/ }).tap();
      await frame.getByRole("radio", { name: /^Depot 2/ }).tap();
      await frame.getByRole("button", { name: "Continue" }).tap();
      await fillCard(frame, cards.good);
      await placeButton(frame).tap();

      const id = await orderPlaced(page);
      const order = await expectBought(shop, id, person.email, [title]);
      expect(order).toMatchObject({ type: "pickup", tipCents: 0 });
      await expect(page.getByText("Depot 2, 2 Station Road, Carmel, IN 46032")).toBeVisible();
      // Back leads to where the cart was, not to a checkout of nothing.
      await page.goBack();
      await expect(page.locator("iframe")).toHaveCount(0);
    });
  });

  test("by keyboard alone", { tag: ["@spec:2.4-10", "@spec:5-13"] }, async ({ page, shop }) => {
    const person = newPerson();
    const { title } = await newProduct(shop, "Keyboard Kale");
    await page.goto("/");
    const welcome = page.getByRole("dialog");
    // The zip has the focus, Enter submits.
    await expect(welcome.getByLabel("Zip code")).toBeFocused();
    await page.keyboard.type(shop.zip);
    await page.keyboard.press("Enter");
    await expect(welcome).toHaveCount(0);

    const tile = tileOf(page, title);
    await tabTo(page, titleOf(tile));
    await page.keyboard.press("Enter");
    const panel = page.getByRole("dialog");
    await expect(panel.getByRole("heading", { name: title, exact: true })).toBeVisible();
    await tabTo(page, panel.getByRole("button", { name: /^Add to Cart/ }));
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
    await expect(titleOf(tile)).toBeFocused();

    const side = page.getByRole("complementary", { name: "Shopping panel" });
    await tabTo(page, side.getByRole("button", { name: "Checkout" }));
    await page.keyboard.press("Enter");

    const frame = checkoutFrame(page);
    await expect(frame.getByRole("heading", { level: 1, name: "Checkout" })).toBeFocused();
    await press(page, frame.getByLabel("First name"), person.firstName);
    await press(page, frame.getByLabel("Last name"), person.lastName);
    await press(page, frame.getByLabel("Email"), person.email);
    await press(page, frame.getByLabel("Password", { exact: true }), person.password);
    await page.keyboard.press("Enter");

    await expect(frame.getByRole("heading", { name: "Delivery or pickup" })).toBeFocused();
    const { street, city, state } = addressIn(shop);
    await press(page, frame.getByLabel("Street address"), street);
    await press(page, frame.getByLabel("City"), city);
    await choose(page, frame.getByLabel("State"), state);
    await tabTo(page, frame.getByRole("button", { name: "Continue" }));
    await page.keyboard.press("Enter");

    await expect(frame.getByRole("heading", { name: "Payment" })).toBeFocused();
    await tabTo(page, frame.getByRole("radio", { name: "No tip" }));
    await page.keyboard.press("ArrowRight");
    await expect(frame.getByRole("radio", { name: "5%" })).toBeChecked();
    await press(page, frame.getByLabel("Card number"), cards.good);
    await press(page, frame.getByLabel("Expires"), expiry);
    await press(page, frame.getByLabel("Security code"), "123");
    await tabTo(page, placeButton(frame));
    await expect(placeButton(frame)).not.toHaveAttribute("aria-disabled");
    await page.keyboard.press("Enter");

    const id = await orderPlaced(page);
    await expectBought(shop, id, person.email, [title]);
  });
});
