import type { Page } from "@playwright/test";

import { inTurn, press, pressMore, type Screen, see, seeInFrame, type Shown } from "./screen.ts";

/** Opens the cart on a phone; on a desktop the side panel shows it already. */
const openCart = async (page: Page): Promise<void> => {
  const tab = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: /^Cart/ });
  if (!(await tab.isVisible())) return;
  await tab.click();
  await page.getByRole("dialog").getByRole("heading", { name: "Your cart" }).waitFor();
};

const openOrders = inTurn(pressMore("My orders"), (page) =>
  page.getByRole("dialog").getByRole("button", { name: /#\d+/ }).first().waitFor(),
);
const openOrder = (id: number) =>
  inTurn(
    openOrders,
    (page) =>
      page
        .getByRole("dialog")
        .getByRole("button", { name: new RegExp(`#${id}`) })
        .first()
        .click(),
    see(`Order #${id}`),
  );

/** The server's survey response. */
interface SurveyResponse {
  type: string;
  questionId: string;
  vendors?: { id: number; name: string }[];
}
const surveys: SurveyResponse[] = [
  {
    type: "MarketingSource",
    questionId: "source",
    vendors: [
      { id: 1, name: "Millstone Acres" },
      { id: 2, name: "Oak Farm" },
    ],
  },
  { type: "CSAT", questionId: "csat" },
  { type: "NPS", questionId: "nps" },
  { type: "Share", questionId: "share" },
  { type: "Subscribe", questionId: "subscribe" },
];
/** Opens an order's confirmation with a survey that the server would choose on another day. */
const showSurvey =
  (id: number, survey: SurveyResponse) =>
  async (page: Page): Promise<void> => {
    await page.route("**/api/orders/*/survey/", (route) => route.fulfill({ json: survey }));
    await page.route("**/api/orders/*/survey/shown", (route) => route.fulfill({ json: { show: true } }));
    await page.clock.install();
    await page.goto(new URL(`/order-complete/${id}`, page.url()).href);
    await page.getByRole("region", { name: "Receipt" }).waitFor();
    // The time in which the receipt is read.
    await page.clock.runFor(30_000);
    await page.getByRole("dialog").getByRole("button", { name: "Skip" }).waitFor();
  };

/** Screens of a placed order. */
const orderScreens = (id: number): Screen[] => [
  { name: "order-complete", as: "customer", path: `/order-complete/${id}` },
  { name: "orders", as: "customer", path: "/more", run: openOrders },
  { name: "order", as: "customer", path: "/more", run: openOrder(id) },
  {
    name: "order-edit",
    as: "customer",
    path: "/more",
    run: inTurn(openOrder(id), press("Edit Order"), press(/^Remove one /), (page) =>
      page.getByRole("group", { name: "Unsaved changes" }).waitFor(),
    ),
  },
  ...surveys.map((survey): Screen => ({
    name: `survey-${survey.type.toLowerCase()}`,
    as: "customer",
    path: "/shop",
    run: showSurvey(id, survey),
  })),
];

/** The cart, checkout, orders and subscriptions. */
export const buyingScreens = ({ orderId }: Shown): Screen[] => [
  { name: "cart", as: "guest", path: "/shop", cart: true, run: openCart },
  { name: "cart-empty", as: "guest", path: "/shop", run: openCart },
  { name: "checkout-account", as: "guest", path: "/embed/checkout", cart: true },
  {
    name: "checkout-delivery",
    as: "customer",
    path: "/embed/checkout",
    cart: true,
    run: inTurn(press("Change delivery or pickup"), press("Change address")),
  },
  { name: "checkout-extras", as: "customer", path: "/embed/checkout", cart: true, run: press("Change tip and notes") },
  { name: "checkout-payment", as: "customer", path: "/embed/checkout", cart: true },
  {
    name: "checkout-mistakes",
    as: "customer",
    path: "/embed/checkout",
    cart: true,
    run: inTurn(
      async (page) => {
        // The cards are there when the button is.
        await page.getByRole("button", { name: /^Place order/ }).waitFor();
        const other = page.getByRole("radio", { name: "Another card" });
        if (await other.isVisible()) await other.check();
      },
      press(/^Place order/),
      (page) => page.locator("[aria-invalid=true]").first().waitFor(),
    ),
  },
  {
    name: "checkout-in-the-shop",
    as: "customer",
    path: "/shop",
    cart: true,
    run: async (page) => {
      await openCart(page);
      await page.getByRole("button", { name: "Checkout" }).last().click();
      await page
        .frameLocator("iframe")
        .getByRole("button", { name: /^Place order/ })
        .waitFor();
    },
  },
  ...(orderId === null ? [] : orderScreens(orderId)),
  {
    name: "subscriptions",
    as: "customer",
    path: "/subscription",
    run: (page) => page.getByRole("radio", { name: /^Full Cart/ }).waitFor(),
  },
  { name: "subscriptions-guest", as: "guest", path: "/subscription" },
  {
    name: "next-boxes",
    as: "customer",
    path: "/next-boxes",
    cart: true,
    run: (page) => page.getByText("Prices and stock are today’s").waitFor(),
  },
  { name: "gift-cards", as: "customer", path: "/gift-card", run: seeInFrame("Gift cards") },
  {
    name: "gift-cards-redeem",
    as: "customer",
    path: "/gift-card",
    run: (page) => page.frameLocator("iframe").getByRole("tab", { name: "Redeem a code" }).click(),
  },
  { name: "gift-cards-guest", as: "guest", path: "/gift-card", run: seeInFrame("Log in to continue") },
  { name: "gift-cards-embedded", as: "customer", path: "/embed/gift-cards" },
  { name: "wagon-pass-embedded", as: "customer", path: "/embed/wagon-pass" },
  { name: "payment-methods-embedded", as: "customer", path: "/embed/payment" },
  { name: "wagon-pass", as: "customer", path: "/wagon-pass", run: seeInFrame("Wagon pass") },
  {
    name: "payment-methods",
    as: "customer",
    path: "/more",
    run: inTurn(pressMore("Payment methods"), seeInFrame("Payment methods")),
  },
  {
    name: "refer-friends",
    as: "customer",
    path: "/more",
    run: inTurn(pressMore("Refer friends"), see("Refer friends")),
  },
];
