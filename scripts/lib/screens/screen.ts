import type { Page } from "@playwright/test";

/** The session of a screen: none, a guest of the market, a customer with an address, or an owner in the admin app. */
type Session = "none" | "guest" | "customer" | "staff";

/** The data that the screens show, found or created by the caller. */
export interface Shown {
  address: string;
  hubId: number;
  /** Slugs. */
  product: string;
  collection: string;
  bundle: string | null;
  line: { productId: number; variantId: number };
  /** What the cart holds where a screen needs one; not set: two of `line`. */
  cart?: readonly { productId: number; variantId: number; quantity: number }[];
  customer: { email: string; password: string } | null;
  /** An open order of that customer. */
  orderId: number | null;
  /** The cookie of an owner's session; null: the market has no owner. */
  staff: { name: string; value: string } | null;
}

/** A screen, and how to reach it. */
export interface Screen {
  name: string;
  as: Session;
  path: string;
  /** The cart is not empty. */
  cart?: boolean;
  /** From the address to the screen. */
  run?: (page: Page) => Promise<void>;
}

/** Clicks the first button of that name. */
export const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
/** Waits for the first heading of that name. */
export const see = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { name }).first().waitFor();
/** Opens the first of a list of cards. */
export const pressFirst = (page: Page) =>
  page.getByRole("main").getByRole("article").first().getByRole("link").first().click();
/** Runs steps in sequence. */
export const inTurn =
  (...steps: ((page: Page) => Promise<void>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page);
  };
/** Clicks a row of the page More. */
export const pressMore = (name: string) => (page: Page) => page.getByRole("main").getByRole("button", { name }).click();
/** Waits for the first heading of that name in the embedded page. */
export const seeInFrame = (name: string | RegExp) => (page: Page) =>
  page.frameLocator("iframe").getByRole("heading", { name }).first().waitFor();
