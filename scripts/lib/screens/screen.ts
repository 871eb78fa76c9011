import type { Page } from "@playwright/test";

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
  /** An open order of that customer. */
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

/** The first button of that name. */
export const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
/** What is loaded when it is asked for is there. */
export const see = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { name }).first().waitFor();
/** The first of a list of cards. */
export const pressFirst = (page: Page) =>
  page.getByRole("main").getByRole("article").first().getByRole("link").first().click();
/** One after the other. */
export const inTurn =
  (...acts: ((page: Page) => Promise<void>)[]) =>
  async (page: Page) => {
    for (const act of acts) await act(page);
  };
/** A row of the menu More, in the page of that name. */
export const pressMore = (name: string) => (page: Page) => page.getByRole("main").getByRole("button", { name }).click();
/** What an embedded page shows is there. */
export const seeInFrame = (name: string | RegExp) => (page: Page) =>
  page.frameLocator("iframe").getByRole("heading", { name }).first().waitFor();
