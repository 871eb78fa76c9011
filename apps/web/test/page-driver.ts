import type { Cart } from "@marketday/contracts/cart";
import type { Quote } from "@marketday/contracts/checkout";
import type { Product } from "@marketday/contracts/products";

/** The shop in a page, as a shopper sees and uses it. */
export interface ShopPage {
  shown: () => { cart: Cart; customerId: number | string | null; hubId: number | null; isGuest: boolean };
  /** No tap waits, and nothing is being sent. */
  isIdle: () => boolean;
  /** Sets the quantity of a product's first variant, as the buttons of its tile do. */
  setVariant: (product: Product, quantity: number, before: number) => void;
  /** Sets the quantity of a line of the cart that is shown. */
  setLine: (variantId: number, quantity: number) => void;
  subscribe: (productId: number, variantId: number, quantity: number) => Promise<void>;
  unsubscribe: (productId: number, variantId: number) => Promise<void>;
  enter: (hubId: number) => Promise<void>;
  login: (email: string, password: string) => Promise<void>;
  register: (email: string, password: string, zipCode: string) => Promise<void>;
  logout: () => Promise<void>;
  switchHub: (hubId: number) => Promise<void>;
  /** The checkout's frame was closed, with an order or without. */
  checkoutClosed: () => void;
  toasts: () => string[];
}

/** The checkout in its frame. */
export interface CheckoutPage {
  /** What the shopper agrees to; null while it is not there, or outdated. */
  offer: () => { cart: Cart; quote: Quote } | null;
  pay: () => void;
  isPaying: () => boolean;
  /** The last refusal's words. */
  problem: () => string | null;
}
