import type { Cart } from "@marketday/contracts/cart";
import type { Quote } from "@marketday/contracts/checkout";
import type { Order } from "@marketday/contracts/orders";
import { addDollars, timesDollars } from "@marketday/domain/money";
import { formatMoney } from "@marketday/ui/money.ts";

import { expect, type Page, test, type TestMarket } from "./lib/fixtures.ts";
import { askApi, beNewCustomer } from "./lib/orders.ts";
import {
  beGuest,
  checkoutFrame,
  fillCard,
  newProduct,
  orderPlaced,
  type Place,
  placeButton,
  plusOf,
  putInCart,
  tileOf,
  titleOf,
} from "./lib/shopper.ts";
import { translate } from "./lib/translation.ts";

const cartOf = (page: Page, market: TestMarket) => askApi<Cart>(page, market, "GET", "/cart");
const orderOf = (page: Page, market: TestMarket, id: number) => askApi<Order>(page, market, "GET", `/orders/${id}`);

const lineOf = (page: Page, place: Place, title: string) =>
  place.getByRole("listitem").filter({ has: page.getByRole("link", { name: title, exact: true }) });
const plus = (place: Place) => place.getByRole("button", { name: /^Add one / });
const minus = (place: Place) => place.getByRole("button", { name: /^Remove (?:one )?/ });

/** The cart panel shows the quantity, and the sums that the server has for it. */
async function expectCart(page: Page, market: TestMarket, place: Place, title: string, quantity: number) {
  const itemIn = (cart: Cart) => cart.items.find(({ product }) => product.title === title);
  await expect.poll(async () => itemIn(await cartOf(page, market))?.quantity).toBe(quantity);
  const cart = await cartOf(page, market);
  const { price, discount } = itemIn(cart)!;
  const line = lineOf(page, place, title);
  await expect(line.locator("output")).toHaveText(String(quantity));
  const total = timesDollars(price, quantity) - (discount?.amount ?? 0);
  await expect(line.getByText(formatMoney(total), { exact: true }).first()).toBeVisible();
  const subtotal = place.locator("dl > div").filter({ hasText: "Subtotal" }).locator("dd");
  const before = cart.subtotalBeforeDiscounts;
  const was = before !== null && before !== cart.subtotal ? `was ${formatMoney(before)} ` : "";
  await expect(subtotal).toHaveText(`${was}${formatMoney(cart.subtotal)}`);
}

interface Amounts extends Pick<Quote, "discountAmount" | "tip" | "fees" | "tax" | "orderTotal"> {
  items: number;
  type: "delivery" | "pickup";
}

/** The till receipt of a quote or an order: each line, and no other. */
async function expectTotals(place: Place, read: () => Promise<Amounts> | Amounts): Promise<void> {
  const shown = async () => (await place.locator("dl > div:has(dt + dd)").allTextContents()).join("\n");
  const expected = async () => {
    const { items, discountAmount, tip, fees, tax, orderTotal, type } = await read();
    return [
      `Items${formatMoney(items)}`,
      ...(discountAmount > 0 ? [`Discount${formatMoney(-discountAmount)}`] : []),
      type === "pickup" ? "PickupFree, $0.00" : `Home delivery${formatMoney(fees.delivery)}`,
      ...(tip > 0 ? [`Tip for the driver${formatMoney(tip)}`] : []),
      `Processing fee${formatMoney(fees.card)}`,
      `Tax${formatMoney(tax)}`,
      `Total${formatMoney(orderTotal)}`,
    ].join("\n");
  };
  await expect(async () => expect(await shown()).toBe(await expected())).toPass({ timeout: 60_000 });
}

test("translated page: a purchase shows at each step the quantities and amounts that the server has", async ({
  page,
  shop,
}) => {
  await page.addInitScript(translate);
  const pears = await newProduct(shop, "Translated Pears");
  const plums = await newProduct(shop, "Translated Plums");
  const code = `TONGUE${process.pid}${Date.now() % 100_000}`;
  await shop.ask("discountCode", { code, percent: 10 });
  const { email } = await beNewCustomer(page, shop);
  await page.goto("/shop");
  const side = page.getByRole("complementary", { name: "Shopping panel" });

  await plusOf(tileOf(page, pears.title)).click();
  await expectCart(page, shop, side, pears.title, 1);
  await plus(lineOf(page, side, pears.title)).click();
  await plus(lineOf(page, side, pears.title)).click();
  await expectCart(page, shop, side, pears.title, 3);
  await expect(side.getByRole("tab", { name: /^Cart/ })).toHaveText("Cart · 3");
  await minus(lineOf(page, side, pears.title)).click();
  await expectCart(page, shop, side, pears.title, 2);

  await titleOf(tileOf(page, plums.title)).click();
  const panel = page.getByRole("dialog");
  const add = panel.getByRole("button", { name: /^Add to Cart/ });
  const one = Number(/\$(\d+\.\d\d)$/.exec(await add.innerText())![1]);
  await plus(panel).click();
  await expect(add).toHaveText(`Add to Cart · ${formatMoney(2 * one)}`);
  await add.click();
  await panel.getByRole("button", { name: "Close" }).click();
  await expectCart(page, shop, side, plums.title, 2);
  await expect(side.getByRole("tab", { name: /^Cart/ })).toHaveText("Cart · 4");

  await page.goto(`/shop?offer=${code}`);
  await expect(side.getByText("10% off").first()).toBeVisible();
  await expectCart(page, shop, side, plums.title, 2);
  await plus(lineOf(page, side, plums.title)).click();
  await expectCart(page, shop, side, plums.title, 3);

  let quote: Quote | undefined;
  let type: "delivery" | "pickup" = "delivery";
  let quotes = 0;
  page.on("response", async (response) => {
    if (!response.url().endsWith("/api/checkout/quote") || !response.ok()) return;
    const number = ++quotes;
    const answer = (await response.json()) as Quote;
    if (number === quotes) quote = answer;
  });
  await side.getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  const review = frame.getByRole("region", { name: "Order total" });
  const quoted = (): Amounts => ({ ...quote!, items: addDollars(quote!.subtotal, quote!.discountAmount), type });
  /** After a choice, once its quote is here: the sums and the button. */
  const expectQuote = async (choice: Partial<Pick<Quote, "tip">>, way: typeof type) => {
    type = way;
    await expect.poll(() => quote && (quote.fees.delivery > 0 ? "delivery" : "pickup")).toBe(way);
    if (choice.tip === 0) await expect.poll(() => quote?.tip).toBe(0);
    await expectTotals(review, quoted);
  };
  await expectQuote({}, "delivery");
  await frame.getByRole("button", { name: "Change delivery or pickup" }).click();
  await frame.getByRole("radio", { name: /^Pickup/ }).check();
  await frame.getByRole("radio", { name: /^Depot 2/ }).check();
  await expectQuote({}, "pickup");
  await frame.getByRole("radio", { name: /^Home delivery/ }).check();
  await expectQuote({}, "delivery");
  await frame.getByRole("button", { name: "Continue" }).click();
  await frame.getByRole("button", { name: "Change tip and notes" }).click();
  for (const percent of [20, 10, 0, 5]) {
    await frame.getByRole("radio", { name: percent === 0 ? "No tip" : `${percent}%`, exact: true }).check();
    await expect
      .poll(() => quote && Math.abs(quote.tip - (percent / 100) * addDollars(quote.subtotal, quote.discountAmount)) < 1)
      .toBe(true);
    await expectTotals(review, quoted);
  }
  await frame.getByRole("button", { name: "Remove", exact: true }).click();
  await expect.poll(() => quote?.discountAmount).toBe(0);
  await expectTotals(review, quoted);
  await frame.getByRole("button", { name: "Continue" }).click();
  await fillCard(frame);
  await expect(placeButton(frame)).toHaveText(`Place order · ${formatMoney(quote!.amountDue)}`);
  const due = quote!.amountDue;
  await placeButton(frame).click();

  const id = await orderPlaced(page);
  expect(await shop.ask("order", { id })).toMatchObject({ email, orderTotalCents: Math.round(due * 100) });
  const placed = async (): Promise<Amounts> => {
    const order = await orderOf(page, shop, id);
    const items = order.items.map(({ quantity, product: { variant } }) =>
      timesDollars(variant.salePrice ?? variant.price, quantity),
    );
    return { ...order, items: items.reduce((sum, amount) => addDollars(sum, amount), 0) };
  };
  const card = page.getByRole("region", { name: "Receipt" }).last();
  await expectTotals(card, placed);
  await expect(side.getByText("Your cart is Empty")).toBeVisible();

  await page.goto("/more");
  await page.getByRole("main").getByRole("button", { name: "My orders" }).click();
  const orders = page.getByRole("dialog").last();
  await orders.getByRole("button", { name: new RegExp(`#${id}\\b`) }).click();
  const sheet = page.getByRole("dialog").last();
  await sheet.getByRole("button", { name: "Edit Order" }).click();
  await minus(sheet.getByRole("listitem").filter({ hasText: plums.title })).click();
  await sheet.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Order changes submitted!").first()).toBeVisible();
  expect((await orderOf(page, shop, id)).items.map(({ quantity }) => quantity)).toEqual([2, 2]);
  await expectTotals(sheet.getByRole("region", { name: "Receipt" }), placed);
  await expect(sheet.getByRole("region", { name: "Receipt" }).getByText(`2 × ${plums.title}`)).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("translated page: the cart's button and the cart count what is in it, through panels and back", async ({
    page,
    shop,
  }) => {
    await page.addInitScript(translate);
    const beets = await newProduct(shop, "Translated Beets");
    await beGuest(page, shop);
    await putInCart(page, shop, [{ ...beets, quantity: 2 }]);
    await page.goto("/shop");
    const button = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: /^Cart/ });
    await expect(button).toHaveText(/^\D*2\D*$/);
    const tile = tileOf(page, beets.title);
    await plus(tile).click();
    await expect(button).toHaveText(/^\D*3\D*$/);
    await button.click();
    const cart = page.getByRole("dialog");
    await expectCart(page, shop, cart, beets.title, 3);
    await minus(lineOf(page, cart, beets.title)).click();
    await expectCart(page, shop, cart, beets.title, 2);
    await page.goBack();
    await expect(button).toHaveText(/^\D*2\D*$/);
    await titleOf(tile).click();
    const panel = page.getByRole("dialog");
    await minus(panel).click();
    await expect(panel.locator("output")).toHaveText("1");
    await expect(panel.getByRole("button", { name: /^In your cart/ })).toHaveText(
      `In your cart · ${formatMoney((await cartOf(page, shop)).items[0]!.price)}`,
    );
    await page.goBack();
    await expect(button).toHaveText(/^\D*1\D*$/);
    await minus(tile).click();
    await expect(button).toHaveText(/^\D*$/);
    await expect.poll(async () => (await cartOf(page, shop)).items).toEqual([]);
  });
});
