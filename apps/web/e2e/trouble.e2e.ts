import { expect, test } from "./lib/fixtures.ts";
import { askApi, beNewCustomer } from "./lib/orders.ts";
import {
  addressIn,
  alertIn,
  beCustomer,
  beGuest,
  cards,
  checkoutFrame,
  comeIn,
  endSessionsUnderFrame,
  fillAddress,
  fillCard,
  newPerson,
  orderPlaced,
  placeButton,
  putInCart,
  register,
  registerInFrame,
} from "./lib/shopper.ts";

const unsupported = "Sorry, we do not currently support your location.";

test.describe("coming in", () => {
  test(
    "coming in: a zip without a hub shows a message and stays in the field",
    { tag: ["@spec:8-03", "@spec:5-13"] },
    async ({ page, market }) => {
      await page.goto("/");
      const welcome = page.getByRole("dialog");
      const browse = welcome.getByRole("button", { name: "Browse" });
      await welcome.getByLabel("Zip code").fill("9999");
      await expect(browse).toBeDisabled();
      await welcome.getByLabel("Zip code").fill("99950");
      await page.keyboard.press("Enter");
      await expect(welcome.getByText(unsupported)).toBeVisible();
      await expect(welcome.getByLabel("Zip code")).toHaveValue("99950");
      await welcome.getByLabel("Zip code").fill(market.zip);
      await browse.click();
      await expect(welcome).toHaveCount(0);
    },
  );

  test("coming in: a refused location shows the zip field", { tag: ["@spec:8-04"] }, async ({ page, context }) => {
    await context.clearPermissions();
    await page.goto("/");
    const welcome = page.getByRole("dialog");
    await welcome.getByRole("button", { name: "Use current location" }).click();
    await expect(welcome.getByText("There was an issue getting your location. Please try again later.")).toBeVisible();
  });

  test("coming in: a browser without geolocation shows the zip field", { tag: ["@spec:8-05"] }, async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, "geolocation", { get: () => undefined, configurable: true });
      delete (Navigator.prototype as { geolocation?: unknown }).geolocation;
    });
    await page.goto("/");
    const welcome = page.getByRole("dialog");
    await welcome.getByRole("button", { name: "Use current location" }).click();
    await expect(welcome.getByText("Sorry, your browser does not support Geolocation.")).toBeVisible();
  });

  test(
    "coming in: a location far from every hub shows a message",
    { tag: ["@spec:8-03"] },
    async ({ page, context }) => {
      await context.grantPermissions(["geolocation"]);
      await context.setGeolocation({ latitude: 64.84, longitude: -147.72 });
      await page.goto("/");
      const welcome = page.getByRole("dialog");
      await welcome.getByRole("button", { name: "Use current location" }).click();
      await expect(welcome.getByText(unsupported)).toBeVisible();
    },
  );

  test(
    "a location near a market opens it",
    { tag: ["@spec:2.4-04", "@spec:4-03"] },
    async ({ page, context, market }) => {
      await context.grantPermissions(["geolocation"]);
      await context.setGeolocation({ latitude: 39.97, longitude: -86.13 });
      await page.goto("/");
      await page.getByRole("dialog").getByRole("button", { name: "Use current location" }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByText(market.hub.name).first()).toBeVisible();
    },
  );
});

test.describe("login and register", () => {
  test(
    "login: a wrong password keeps the typed text",
    { tag: ["@spec:5-01", "@spec:5-02", "@spec:2.4-07", "@spec:5-03", "@spec:2.4-09", "@spec:2.4-11"] },
    async ({ page, market }) => {
      const { email } = await market.ask("customer", { firstName: "Robin" });
      await page.goto("/login");
      const dialog = page.getByRole("dialog");
      const button = dialog.getByRole("button", { name: "Login to My Account" });
      await expect(button).toBeDisabled();
      await dialog.getByLabel("Email").fill(email);
      await expect(button).toBeDisabled();
      await dialog.getByLabel("Password", { exact: true }).fill("not this one");
      await page.keyboard.press("Enter");
      const alert = alertIn(dialog);
      await expect(alert).toHaveText("Invalid email or password. Please check those values.");
      await expect(alert).toBeFocused();
      await expect(dialog.getByLabel("Email")).toHaveValue(email);
      await expect(dialog.getByLabel("Password", { exact: true })).toHaveValue("not this one");

      await dialog.getByLabel("Password", { exact: true }).fill(market.customer.password);
      await button.click();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByText("Welcome back, Robin").first()).toBeVisible();
      await expect(page).toHaveURL(/\/shop$/);
    },
  );

  test(
    "register: the password rules are checked off, and the zip is validated",
    { tag: ["@spec:5-11", "@spec:2.4-12", "@spec:2.4-13", "@spec:2.4-14", "@spec:2.4-15", "@spec:4-08"] },
    async ({ page, market }) => {
      await comeIn(page, market.zip);
      await page.getByRole("complementary").getByRole("tab", { name: "More" }).click();
      await page.getByRole("button", { name: "Login or register" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Email").fill("anna@example.com");
      await dialog.getByRole("button", { name: "Create a free account" }).click();
      const create = dialog.getByRole("button", { name: "Create My Account" });
      const chips = dialog.getByRole("list", { name: "What we need" });
      // What was typed at the login came along.
      await expect(dialog.getByLabel("Email")).toHaveValue("anna@example.com");
      await expect(chips.getByText("Email is requried")).toHaveCount(0);
      await expect(chips.getByText("Your first name is requried")).toBeVisible();
      await expect(chips.getByText("Your last name is requried")).toBeVisible();
      await expect(chips.getByText("Password is too short")).toBeVisible();
      await dialog.getByLabel("Last name").fill("Miller");
      await expect(chips.getByText("Your last name is requried")).toBeVisible();
      await dialog.getByLabel("First name").fill("Anna");
      await expect(chips.getByText("Your last name is requried")).toHaveCount(0);
      await dialog.getByLabel("Password", { exact: true }).fill("blue-wheelbarrow");
      await expect(chips.getByText("Passwords do not match")).toBeVisible();
      await expect(create).toBeDisabled();
      await dialog.getByLabel("Confirm password").fill("blue-wheelbarrow");
      await expect(create).toBeEnabled();

      await dialog.getByLabel("Zip code").fill("4603");
      await expect(chips.getByText("Zip Code is required")).toBeVisible();
      await expect(create).toBeDisabled();
      // The guest's market has pickup points for those it does not deliver to.
      const outside = dialog.getByText("Carmel market does not deliver to 99950.");
      await dialog.getByLabel("Zip code").fill("99950");
      await expect(outside).toBeVisible();
      await expect(create).toBeEnabled();
      await dialog.getByLabel("Zip code").fill("46033");
      await expect(outside).toHaveCount(0);
      await expect(create).toBeEnabled();
    },
  );

  test(
    "register: without a market, a zip that none delivers to is refused in the form",
    { tag: ["@spec:2.4-15", "@spec:4-08"] },
    async ({ page }) => {
      const person = newPerson();
      await page.goto("/embed/gift-cards");
      await page.getByRole("button", { name: "Create a free account" }).click();
      await page.getByLabel("First name").fill(person.firstName);
      await page.getByLabel("Last name").fill(person.lastName);
      await page.getByLabel("Email").fill(person.email);
      await page.getByLabel("Password", { exact: true }).fill(person.password);
      const create = page.getByRole("button", { name: "Create My Account" });
      await page.getByLabel("Zip code").fill("99950");
      await expect(page.getByText(unsupported)).toBeVisible();
      await expect(create).toBeDisabled();
      await page.getByLabel("Zip code").fill("46033");
      await expect(page.getByText(unsupported)).toHaveCount(0);
      await expect(create).toBeEnabled();
    },
  );

  test(
    "register: a taken e-mail shows an error and keeps the form",
    { tag: ["@spec:2.4-16"] },
    async ({ page, market }) => {
      const person = newPerson();
      const { email } = await market.ask("customer", {});
      await beGuest(page, market);
      await page.goto("/shop");
      await page.getByRole("complementary").getByRole("tab", { name: "More" }).click();
      await page.getByRole("button", { name: "Login or register" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Create a free account" }).click();
      await register(dialog, { ...person, email }, market.zip);
      const alert = alertIn(dialog);
      await expect(alert).toHaveText("An account with this email already exists. Please login.");
      await expect(alert).toBeFocused();
      await expect(dialog.getByLabel("First name")).toHaveValue(person.firstName);
      await dialog.getByLabel("Email").fill(person.email);
      await dialog.getByRole("button", { name: "Create My Account" }).click();
      await expect(dialog).toHaveCount(0);
    },
  );

  test(
    "register: the zip is filled from the browser's location",
    { tag: ["@spec:2.4-13", "@spec:7.12-01"] },
    async ({ page, context, market }) => {
      await context.grantPermissions(["geolocation"]);
      await context.setGeolocation({ latitude: 39.978, longitude: -86.118 });
      await beGuest(page, market);
      await page.goto("/shop");
      await page.getByRole("complementary").getByRole("tab", { name: "More" }).click();
      await page.getByRole("button", { name: "Login or register" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Create a free account" }).click();
      await dialog.getByLabel("Zip code").fill("");
      await dialog.getByRole("button", { name: "Use my location" }).click();
      await expect(dialog.getByLabel("Zip code")).toHaveValue(/^460\d\d$/);
    },
  );
});

test.describe("paying", () => {
  /** A customer with an address and this in the cart, at the payment step. */
  async function atPayment(
    page: import("./lib/fixtures.ts").Page,
    market: import("./lib/fixtures.ts").TestMarket,
    title: string,
    input: { inventory?: number; priceCents?: number; quantity?: number } = {},
  ) {
    const { email } = await market.ask("customer", { address: true });
    const product = await market.ask("product", {
      title,
      inventory: input.inventory ?? 5,
      priceCents: input.priceCents ?? 650,
    });
    await beCustomer(page, market, { email, password: market.customer.password });
    await putInCart(page, market, [{ ...product, quantity: input.quantity ?? 2 }]);
    await page.goto("/shop");
    await page.getByRole("button", { name: "Checkout" }).click();
    const frame = checkoutFrame(page);
    await expect(frame.getByLabel("Card number")).toBeVisible();
    return { email, product, frame };
  }

  test("a declined card keeps the form; another card is accepted", { tag: ["@fail:B9"] }, async ({ page, market }) => {
    const { email, product, frame } = await atPayment(page, market, "Declined Beets");
    await fillCard(frame, cards.declined);
    await placeButton(frame).click();
    const alert = alertIn(frame);
    await expect(alert).toContainText("Your card was declined.");
    await expect(alert).toBeFocused();
    await expect(frame.getByLabel("Card number")).toHaveValue("4000 0000 0000 0002");
    await expect(frame.getByText("12 Oak Street, Carmel, IN 46032", { exact: true })).toBeVisible();
    expect(await market.ask("orderCount", { email })).toBe(0);
    expect(await market.ask("stockOf", { variantId: product.variantId })).toBe(5);

    await frame.getByLabel("Card number").fill(cards.good);
    await expect(alert).toHaveCount(0);
    await placeButton(frame).click();
    await orderPlaced(page);
    expect(await market.ask("orderCount", { email })).toBe(1);
    expect(await market.ask("stockOf", { variantId: product.variantId })).toBe(3);
  });

  test("bank challenge: declined, then approved", async ({ page, market }) => {
    const { email, frame } = await atPayment(page, market, "Late Leeks");
    await fillCard(frame, cards.challenge);
    await placeButton(frame).click();
    await expect(frame.getByRole("heading", { name: "Your bank needs to verify you" })).toBeFocused();
    await frame.getByRole("button", { name: "Decline" }).click();
    await expect(alertIn(frame)).toContainText("declined");
    await expect(frame.getByLabel("Card number")).toHaveValue("4000 0025 0000 3155");
    await placeButton(frame).click();
    await frame.getByRole("button", { name: "Approve" }).click();
    await orderPlaced(page);
    expect(await market.ask("orderCount", { email })).toBe(1);
  });

  test("a form with mistakes names them and sends no request", async ({ page, market }) => {
    const { email, frame } = await atPayment(page, market, "Careful Peas");
    await frame.getByLabel("Card number").fill("4242 4242 4242 42");
    await placeButton(frame).click();
    const summary = alertIn(frame);
    await expect(summary).toBeFocused();
    await expect(summary.getByRole("link")).toHaveText([
      "Card number is 2 digits short",
      "Enter the month and year, like 09/28",
      "Enter the 3 or 4 digits on the card",
    ]);
    await summary.getByRole("link").first().click();
    await expect(frame.getByLabel("Card number")).toBeFocused();
    expect(await market.ask("orderCount", { email })).toBe(0);
  });

  test(
    "sold out while paying: the list, nothing charged, the rest can be bought",
    { tag: ["@fail:A4"] },
    async ({ page, market }) => {
      const { email, product, frame } = await atPayment(page, market, "Fleeting Figs");
      const rest = await market.ask("product", { title: "Patient Pears", inventory: 5 });
      await putInCart(page, market, [rest]);
      await page.reload();
      await fillCard(frame, cards.good);
      await expect(placeButton(frame)).toBeEnabled();
      await market.ask("stock", { variantId: product.variantId, inventory: 0 });
      await placeButton(frame).click();
      await expect(
        frame.getByRole("heading", { name: "Something in your cart sold out. Please review it." }),
      ).toBeFocused();
      await expect(frame.getByText("Fleeting Figs, Each")).toBeVisible();
      await expect(frame.getByText("You have not been charged.")).toBeVisible();
      expect(await market.ask("orderCount", { email })).toBe(0);
      await frame.getByRole("button", { name: "Back to the cart" }).click();
      await expect(page.locator("iframe")).toHaveCount(0);
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      await expect(side.getByRole("heading", { name: "Watching" })).toBeVisible();

      await side.getByRole("button", { name: "Checkout" }).click();
      await fillCard(frame, cards.good);
      await placeButton(frame).click();
      const id = await orderPlaced(page);
      expect((await market.ask("order", { id })).items).toMatchObject([{ title: "Patient Pears", quantity: 1 }]);
    },
  );

  test(
    "the total changed since it was shown: the new one is shown before anything is charged",
    { tag: ["@fail:B15"] },
    async ({ page, market }) => {
      const { email, product, frame } = await atPayment(page, market, "Dearer Dates", { priceCents: 650 });
      await fillCard(frame, cards.good);
      await expect(placeButton(frame)).toBeEnabled();
      const before = await placeButton(frame).innerText();
      await market.ask("price", { variantId: product.variantId, priceCents: 800 });
      await placeButton(frame).click();
      await expect(alertIn(frame)).toContainText("The total has changed. Please review it.");
      await expect(placeButton(frame)).not.toHaveText(before);
      await expect(placeButton(frame)).toBeEnabled();
      const after = await placeButton(frame).innerText();
      expect(await market.ask("orderCount", { email })).toBe(0);
      await placeButton(frame).click();
      const id = await orderPlaced(page);
      const { orderTotalCents } = await market.ask("order", { id });
      expect(after).toBe(`Place order · $${(orderTotalCents / 100).toFixed(2)}`);
    },
  );

  test("a price that cannot be loaded: the button of the old amount does not place the order until the new one is there", async ({
    page,
    market,
  }) => {
    const { email, product, frame } = await atPayment(page, market, "Unpriced Pumpkins");
    await fillCard(frame, cards.good);
    await expect(placeButton(frame)).toBeEnabled();
    const before = await placeButton(frame).innerText();
    await market.ask("price", { variantId: product.variantId, priceCents: 900 });
    await page.route("**/api/checkout/quote", (route) => route.abort());
    await frame.getByRole("button", { name: "Change" }).last().click();
    await frame.getByRole("radio", { name: /20/ }).check();
    await frame.getByRole("button", { name: "Continue" }).click();
    const total = frame.getByRole("region", { name: "Order total" });
    await expect(total.getByText("We couldn't reach the market.")).toBeVisible();
    await expect(placeButton(frame)).toBeDisabled();
    await page.unroute("**/api/checkout/quote");
    await total.getByRole("button", { name: "Retry" }).click();
    await expect(placeButton(frame)).toBeEnabled();
    const after = await placeButton(frame).innerText();
    expect(after).not.toBe(before);
    expect(await market.ask("orderCount", { email })).toBe(0);
    await placeButton(frame).click();
    const id = await orderPlaced(page);
    const { orderTotalCents } = await market.ask("order", { id });
    expect(after).toBe(`Place order · $${(orderTotalCents / 100).toFixed(2)}`);
  });

  test("an address outside the market is refused with the field", async ({ page, market }) => {
    const person = newPerson();
    await beGuest(page, market);
    await putInCart(page, market, [market.products[7]!]);
    await page.goto("/shop");
    await page.getByRole("button", { name: "Checkout" }).click();
    const frame = checkoutFrame(page);
    await registerInFrame(frame, person, market.zip);
    // Another city than that of the ZIP code from before, which may be filled in already: what is typed stays.
    await fillAddress(frame, { ...addressIn(market), city: "Chicago", zip: "60601" });
    await expect(frame.getByText(/^Error: Carmel market does not deliver to 60601\./)).toBeVisible();
    await expect(frame.getByLabel("Zip code")).toBeFocused();
    await expect(frame.getByLabel("Street address")).toHaveValue(addressIn(market).street);
  });

  test("the session ends during checkout: login in place, and checkout goes on", async ({ page, market }) => {
    const { email, frame } = await atPayment(page, market, "Patient Parsnips");
    await frame.getByRole("button", { name: "Change tip and notes" }).click();
    await frame.getByLabel("Delivery notes").fill("Ring twice");
    await frame.getByRole("button", { name: "Continue" }).click();
    await fillCard(frame, cards.good);
    await expect(placeButton(frame)).toBeEnabled();
    const answerApp = await endSessionsUnderFrame(page, market, email);
    await placeButton(frame).click();
    await expect(frame.getByText("Your session has expired. Please login to continue.")).toBeVisible();
    await answerApp();
    await frame.getByLabel("Email").fill(email);
    await frame.getByLabel("Password", { exact: true }).fill(market.customer.password);
    await frame.getByRole("button", { name: "Login to My Account" }).click();
    await expect(frame.getByText(/Ring twice/)).toBeVisible();
    await fillCard(frame, cards.good);
    await placeButton(frame).click();
    await orderPlaced(page);
    expect(await market.ask("orderCount", { email })).toBe(1);
  });

  test(
    "a lost response: a retry with the same key makes one order",
    { tag: ["@fail:B2"] },
    async ({ page, market }) => {
      const { email, frame } = await atPayment(page, market, "Twice Turnips");
      await fillCard(frame, cards.good);
      const keys: (string | undefined)[] = [];
      await page.route("**/api/checkout", async (route) => {
        keys.push(route.request().headers()["idempotency-key"]);
        if (keys.length > 1) return route.continue();
        // The server has it; the shopper hears nothing.
        await route.fetch();
        return route.abort("connectionreset");
      });
      await placeButton(frame).click();
      await orderPlaced(page);
      expect(keys).toHaveLength(2);
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(keys[1]).toBe(keys[0]);
      expect(await market.ask("orderCount", { email })).toBe(1);
    },
  );
});

test(
  "the server is down while adding: nothing is lost, and the line is saved later",
  { tag: ["@spec:8-10"] },
  async ({ page, market }) => {
    const product = await market.ask("product", { title: "Steady Spinach", inventory: 9 });
    await beGuest(page, market);
    await page.goto(`/product/${product.slug}`);
    const panel = page.getByRole("dialog");
    await expect(panel.getByRole("heading", { name: "Steady Spinach" })).toBeVisible();
    await market.ask("stopServer");
    try {
      await panel.getByRole("button", { name: /^Add to Cart/ }).click();
      await panel.getByRole("button", { name: "Close" }).click();
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      await expect(side.getByRole("link", { name: "Steady Spinach" })).toBeVisible();
    } finally {
      await market.ask("startServer");
    }
    await expect
      .poll(
        async () => {
          const answer = await page.request.get(`${market.address}/api/cart`);
          return ((await answer.json()) as { items: { product: { title: string }; quantity: number }[] }).items.map(
            ({ product: { title }, quantity }) => [title, quantity],
          );
        },
        { timeout: 60_000 },
      )
      .toEqual([["Steady Spinach", 1]]);
  },
);

test("checkout: the day closed before the order was placed: the next day, its price and its button are shown", async ({
  page,
  shop,
}) => {
  const { email } = await beNewCustomer(page, shop);
  await shop.ask("cutoffIn", { hubId: shop.hub.id, seconds: 3600 });
  await putInCart(page, shop, [shop.products[7]!]);
  await page.goto("/shop");
  await page.getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  const day = frame.getByRole("region", { name: "Your order" });
  await fillCard(frame, cards.good);
  await expect(placeButton(frame)).toBeEnabled();
  const { deliveryDate: first } = await askApi<{ deliveryDate: string }>(page, shop, "GET", "/cart");
  const dayOf = (date: string) => String(Number(date.slice(8)));
  await expect(day).toContainText(new RegExp(`\\D${dayOf(first)}Arrives`));
  await shop.ask("cutoffIn", { hubId: shop.hub.id, seconds: -1 });
  const refused = page.waitForResponse((answer) => answer.url().endsWith("/api/checkout"));
  await placeButton(frame).click();
  expect(((await (await refused).json()) as [string, { code: string }])[1].code).toBe("past_cutoff");
  await expect(alertIn(frame)).toBeVisible();
  const { deliveryDate: second } = await askApi<{ deliveryDate: string }>(page, shop, "GET", "/cart");
  expect(second > first).toBe(true);
  await expect(day).toContainText(new RegExp(`\\D${dayOf(second)}Arrives`));
  await expect(day).not.toContainText("Closed for this week");
  await placeButton(frame).click();
  const id = await orderPlaced(page);
  expect(await askApi(page, shop, "GET", `/orders/${id}`)).toMatchObject({ deliveryDate: second });
  expect(await shop.ask("orderCount", { email })).toBe(1);
});
