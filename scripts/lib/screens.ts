import type { BrowserContext, Page } from "@playwright/test";

/** Who looks: nobody yet, a guest of the market, or a customer with an address. */
export type Who = "nobody" | "guest" | "customer";

/** What the screens show; found or made by whoever looks at them. */
export interface Shown {
  address: string;
  hubId: number;
  /** Slugs. */
  product: string;
  collection: string;
  bundle: string | null;
  line: { productId: number; variantId: number };
  customer: { email: string; password: string } | null;
  /** An order of that customer. */
  orderId: number | null;
}

/** A screen, and how to reach it. */
export interface Screen {
  name: string;
  as: Who;
  path: string;
  /** There is something in the cart. */
  cart?: boolean;
  /** From the address to the screen. */
  act?: (page: Page) => Promise<void>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
/** What is loaded when it is asked for is there. */
const see = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { name }).first().waitFor();
/** The first of a list of cards. */
const pressFirst = (page: Page) =>
  page.getByRole("main").getByRole("article").first().getByRole("link").first().click();
const inTurn =
  (...acts: ((page: Page) => Promise<void>)[]) =>
  async (page: Page) => {
    for (const act of acts) await act(page);
  };
/** On a desktop the side panel has it already. */
const openCart = async (page: Page): Promise<void> => {
  const tab = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: /^Cart/ });
  if (!(await tab.isVisible())) return;
  await tab.click();
  await page.getByRole("dialog").getByRole("heading", { name: "Your cart" }).waitFor();
};

/** The header's field of a desktop, or the sheet of a phone, with a term that has suggestions. */
const searchFor =
  (term: string) =>
  async (page: Page): Promise<void> => {
    const button = page.getByRole("button", { name: "Search", exact: true });
    if (await button.isVisible()) await button.click();
    await page.getByRole("combobox").last().fill(term);
    await page.getByRole("option").first().waitFor();
  };
/** From the list of stalls into the conversation with the first. */
const writeToStall = inTurn(
  pressFirst,
  press(/^Message /),
  (page) => page.getByRole("textbox", { name: "Your message" }).fill("Do you have goose eggs in spring?"),
  press("Send"),
  press("See the conversation"),
  (page) => page.getByRole("textbox", { name: /^Reply to / }).waitFor(),
);
const openTab = (name: string) => (page: Page) => page.getByRole("dialog").getByRole("tab", { name }).click();

/** Every screen there is, for the pictures of `pnpm look` and for the stories that examine each one. */
export function screensOf({ product, collection, bundle, orderId, hubId }: Shown): Screen[] {
  const checkout = { as: "customer", path: "/embed/checkout", cart: true } as const;
  return [
    { name: "welcome", as: "nobody", path: "/" },
    { name: "shop", as: "guest", path: "/shop", cart: true },
    { name: "cart", as: "guest", path: "/shop", cart: true, act: openCart },
    { name: "cart-empty", as: "guest", path: "/shop", act: openCart },
    { name: "collection", as: "guest", path: `/collections/${collection}` },
    { name: "product", as: "guest", path: `/product/${product}` },
    {
      name: "market",
      as: "guest",
      path: "/shop",
      act: inTurn(press(/^Your market/), (page) => page.getByRole("button", { name: "Done" }).waitFor()),
    },
    { name: "markets", as: "nobody", path: "/hubs", act: see(/ market$/) },
    {
      name: "market-details",
      as: "guest",
      path: `/hubs/${hubId}`,
      act: (page) => page.getByRole("heading", { name: "Where it delivers" }).scrollIntoViewIfNeeded(),
    },
    {
      name: "shop-here",
      as: "guest",
      path: "/hubs",
      act: inTurn(
        (page) =>
          page
            .getByRole("article")
            .filter({ hasNotText: "Your market" })
            .first()
            .getByRole("button", { name: /^Shop Here/ })
            .click(),
        see(/^Register to shop/),
      ),
    },
    { name: "collections", as: "guest", path: "/collections" },
    {
      name: "badge",
      as: "guest",
      path: `/product/${product}`,
      act: inTurn(press(/^(Local First|Regional Specialty|Beyond Local)$/), see("Local First")),
    },
    {
      name: "photos",
      as: "guest",
      path: `/product/${product}`,
      act: inTurn(press("See larger"), (page) => page.getByRole("button", { name: "Zoom in" }).waitFor()),
    },
    { name: "more", as: "guest", path: "/more" },
    { name: "inbox", as: "customer", path: "/inbox" },
    { name: "inbox-guest", as: "guest", path: "/inbox" },
    {
      name: "message",
      as: "customer",
      path: "/vendors",
      act: inTurn(pressFirst, press(/^Message /), see(/^Message /)),
    },
    { name: "conversation", as: "customer", path: "/vendors", act: writeToStall },
    {
      name: "conversation-unsent",
      as: "customer",
      path: "/vendors",
      act: inTurn(
        writeToStall,
        async (page) => {
          await page.route("**/api/inbox/*/reply", (route) => route.abort());
        },
        (page) => page.getByRole("textbox", { name: /^Reply to / }).fill("Or in early summer?"),
        press("Send"),
        (page) => page.getByText("Not sent").waitFor(),
      ),
    },
    { name: "become-a-vendor-form", as: "guest", path: "/embed/become-a-vendor" },
    { name: "support", as: "customer", path: "/support" },
    { name: "support-guest", as: "guest", path: "/support" },
    { name: "contact-us", as: "guest", path: "/embed/contact-us" },
    ...(orderId === null
      ? []
      : [{ name: "report-problem", as: "customer" as const, path: `/embed/report-problem?order=${orderId}` }]),
    { name: "vendors", as: "guest", path: "/vendors" },
    { name: "vendor", as: "guest", path: "/vendors", act: inTurn(pressFirst, see("The Latest")) },
    {
      name: "vendor-shelf",
      as: "guest",
      path: "/vendors",
      act: inTurn(pressFirst, (page) => page.getByRole("link", { name: /^Shop all/ }).click(), see(/./)),
    },
    {
      name: "endorse",
      as: "customer",
      path: "/vendors",
      act: inTurn(pressFirst, press("Endorse"), see(/^Endorse /)),
    },
    { name: "bundles", as: "guest", path: "/bundles" },
    ...(bundle === null
      ? []
      : [{ name: "bundle", as: "customer" as const, path: `/bundles/${bundle}`, act: see(/./) }]),
    { name: "search", as: "guest", path: "/shop", act: searchFor("tom") },
    { name: "search-results", as: "guest", path: "/search?q=tomatoes", act: see(/^Found /) },
    { name: "search-vendors", as: "guest", path: "/search?q=farm&in=vendors", act: see(/^Found /) },
    { name: "search-nothing", as: "guest", path: "/search?q=unicorns", act: see(/^Found 0 /) },
    { name: "quick-shop", as: "customer", path: "/favorites", act: see("Quick Shop") },
    { name: "quick-shop-guest", as: "guest", path: "/favorites", act: see("Quick Shop") },
    {
      name: "need-account",
      as: "guest",
      path: `/product/${product}`,
      act: inTurn(
        (page) =>
          page
            .getByRole("dialog")
            .getByRole("button", { name: /^Favorite / })
            .first()
            .click(),
        (page) => page.getByRole("button", { name: "Sign Up" }).waitFor(),
      ),
    },
    { name: "share", as: "guest", path: `/product/${product}`, act: inTurn(press("Share"), see(/^Share /)) },
    {
      name: "questions",
      as: "customer",
      path: `/product/${product}`,
      act: inTurn(openTab("Q&A"), press("Ask a question")),
    },
    {
      name: "reviews",
      as: "customer",
      path: `/product/${product}`,
      act: inTurn(
        (page) =>
          page
            .getByRole("dialog")
            .getByRole("tab", { name: /^Reviews/ })
            .click(),
        press("Write a review"),
      ),
    },
    {
      name: "subscriptions",
      as: "customer",
      path: "/subscription",
      act: (page) => page.getByRole("radio", { name: /^Full Cart/ }).waitFor(),
    },
    { name: "subscriptions-guest", as: "guest", path: "/subscription" },
    {
      name: "next-boxes",
      as: "customer",
      path: "/next-boxes",
      cart: true,
      act: (page) => page.getByText("Prices and stock are today’s").waitFor(),
    },
    { name: "login", as: "guest", path: "/login", act: see("Login") },
    {
      name: "register",
      as: "guest",
      path: "/login",
      act: inTurn(press("Create a free account"), see("Create your free account")),
    },
    { name: "checkout-account", as: "guest", path: "/embed/checkout", cart: true },
    {
      name: "checkout-delivery",
      ...checkout,
      act: inTurn(press("Change delivery or pickup"), press("Change address")),
    },
    { name: "checkout-extras", ...checkout, act: press("Change tip and notes") },
    { name: "checkout-payment", ...checkout },
    {
      name: "checkout-mistakes",
      ...checkout,
      act: inTurn(
        async (page) => {
          const other = page.getByRole("radio", { name: "Another card" });
          if (await other.isVisible()) await other.check();
        },
        press(/^Place order/),
      ),
    },
    {
      name: "checkout-in-the-shop",
      as: "customer",
      path: "/shop",
      cart: true,
      act: async (page) => {
        await openCart(page);
        await page.getByRole("button", { name: "Checkout" }).last().click();
        await page
          .frameLocator("iframe")
          .getByRole("button", { name: /^Place order/ })
          .waitFor();
      },
    },
    ...(orderId === null
      ? []
      : [{ name: "order-complete", as: "customer" as const, path: `/order-complete/${orderId}` }]),
    { name: "about", as: "guest", path: "/about", act: see("News") },
    { name: "blog", as: "guest", path: "/blog" },
    {
      name: "post",
      as: "guest",
      path: "/blog",
      act: inTurn(pressFirst, (page) => page.getByRole("button", { name: /^Share/ }).waitFor()),
    },
    { name: "help", as: "guest", path: "/help" },
    {
      name: "faq",
      as: "guest",
      path: "/faq",
      act: (page) => page.getByRole("searchbox", { name: "Search the answers" }).fill("delivery"),
    },
    { name: "jobs", as: "nobody", path: "/jobs" },
    { name: "driver-application", as: "nobody", path: "/driver-application" },
    {
      name: "join",
      as: "guest",
      path: "/join",
      act: (page) => page.frameLocator("iframe").getByRole("heading").first().waitFor(),
    },
    {
      name: "terms",
      as: "guest",
      path: "/terms",
      act: (page) => page.frameLocator("iframe").getByRole("heading").first().waitFor(),
    },
    { name: "contact-frame", as: "nobody", path: "/embed/contact-us" },
    { name: "privacy-frame", as: "nobody", path: "/embed/privacy" },
    { name: "faq-frame", as: "nobody", path: "/embed/faq" },
    {
      name: "forgot",
      as: "guest",
      path: "/login",
      act: inTurn(press("Forgot Password"), see("Forgot Password")),
    },
    { name: "reset", as: "nobody", path: "/password-reset/example", act: see("Choose a new password") },
    { name: "details", as: "customer", path: "/profile", act: see("Where you are logged in") },
    {
      name: "details-changed",
      as: "customer",
      path: "/account",
      act: inTurn(
        (page) => page.getByLabel("Username").fill("Market friend"),
        (page) => page.getByRole("button", { name: "Save", exact: true }).waitFor(),
        // To the end: a control half under Save is as small as what is left of it.
        (page) => page.getByRole("button", { name: "Delete my account" }).scrollIntoViewIfNeeded(),
      ),
    },
    {
      name: "details-below",
      as: "customer",
      path: "/profile",
      act: (page) => page.getByRole("button", { name: "Delete my account" }).scrollIntoViewIfNeeded(),
    },
    { name: "details-guest", as: "guest", path: "/profile", act: see("My Details") },
    {
      name: "delete-account",
      as: "customer",
      path: "/profile",
      act: inTurn(press("Delete my account"), see("Delete my account")),
    },
    { name: "welcome-friend", as: "nobody", path: "/?referredByCustomerId=1", act: see(/online farmers market/) },
    {
      name: "welcome-vendor-step",
      as: "nobody",
      path: "/?trk=roadside-sign",
      act: inTurn(
        (page) => page.getByRole("dialog").getByLabel("Zip code").fill("46032"),
        press("Browse"),
        see("Hear what is in season"),
      ),
    },
    { name: "not-found", as: "guest", path: "/no-such-page" },
  ];
}

/** Asks our own API with a context's cookies. */
export async function ask<T>(
  context: BrowserContext,
  address: string,
  method: string,
  path: string,
  data?: unknown,
): Promise<T> {
  const answer = await context.request.fetch(`${address}/api${path}`, {
    method,
    headers: { origin: address },
    ...(data === undefined ? {} : { data }),
  });
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Makes a context's visitor who the screen is for, with the cart it needs, and goes there. */
export async function reach(
  context: BrowserContext,
  page: Page,
  { as, path, cart, act }: Screen,
  shown: Shown,
): Promise<void> {
  const { address, hubId, line, customer } = shown;
  if (as === "guest") await ask(context, address, "POST", `/auth/guest?hubId=${hubId}`);
  if (as === "customer" && customer)
    await ask(context, address, "POST", "/auth/login", { username: customer.email, password: customer.password });
  if (as !== "nobody") await ask(context, address, "PUT", "/cart", [{ ...line, quantity: cart ? 2 : 0 }]);
  await page.goto(address + path, { waitUntil: "networkidle" });
  // The line is idle while a busy machine still starts the app, too.
  await page.getByRole("heading").first().waitFor({ state: "attached" });
  await act?.(page);
  // A layer's frame comes first, what fills it a moment later.
  for (const dialog of await page.locator("dialog").all())
    await dialog.locator("[data-dialog-title]").first().waitFor();
}
