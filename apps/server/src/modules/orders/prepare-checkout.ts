import type { CheckoutChoice } from "@marketday/contracts/checkout";
import type { Conn } from "@marketday/db";
import type { Basket } from "@marketday/domain/basket";
import { normaliseCode } from "@marketday/domain/promotion";

import { AppError, loginRequired } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { priceStoredCart, type ReckoningLine } from "../cart/price-stored-cart.ts";
import { type CartLineRow, type CartRow, findDiscountCode, loadCart } from "../cart/store.ts";
import { type CheckoutFacts, loadCheckoutFacts } from "./checkout-facts.ts";
import { planOrders } from "./plan-orders.ts";
import type { CheckoutPlan, StoredChoice } from "./plan.ts";

/** A cart with its price and order plan for a checkout choice. */
export interface PreparedCheckout {
  cart: CartRow;
  facts: CheckoutFacts;
  basket: Basket<ReckoningLine>;
  choice: StoredChoice;
  plan: CheckoutPlan;
}

/** Selects the cart lines that are bought. */
export type LineFilter = (line: CartLineRow) => boolean;

/**
 * Loads the cart and its checkout facts and prices the choice: two statements, plus one for a discount code and one for a
 * referred friend's first order. Quote and order both use this function, so that they cannot differ. `filter` selects lines
 * (auto-checkout).
 */
export async function prepareCheckout(
  ctx: Context,
  conn: Conn,
  customerId: CustomerId,
  hubId: number,
  choice: CheckoutChoice,
  filter?: LineFilter,
): Promise<PreparedCheckout> {
  const { deps, now } = ctx;
  const address = choice.type === "delivery" ? choice.deliveryAddress : undefined;
  const cart = await loadCart(conn, { customerId }, hubId, now, address);
  const facts = await loadCheckoutFacts(conn, customerId, hubId, deps.payments.name, now);
  if (!facts) throw loginRequired();
  if (choice.discountCode === null) cart.code = null;
  if (choice.discountCode) {
    const code = await findDiscountCode(conn, normaliseCode(choice.discountCode), customerId);
    if (!code) throw new AppError(422, "There is no such code.", { code: "bad_code", field: "discountCode" });
    cart.code = code;
  }
  if (filter) cart.lines = cart.lines.filter(filter);
  return priceCheckout(cart, facts, hubId, choice, now);
}

/** Prices a loaded cart. Also previews the next automatic order. */
export function priceCheckout(
  cart: CartRow,
  facts: CheckoutFacts,
  hubId: number,
  choice: CheckoutChoice,
  now: Date,
): PreparedCheckout {
  const basket = priceStoredCart(cart, hubId, now);
  const stored: StoredChoice = {
    type: choice.type,
    address: choice.type === "delivery" ? (choice.deliveryAddress ?? facts.default_address) : null,
    pickupPointId: choice.type === "pickup" ? (choice.pickupPointId ?? null) : null,
    deliveryNotes: choice.deliveryNotes,
    tipPercentage: choice.tipPercentage,
    savePaymentMethod: choice.savePaymentMethod,
    paymentMethodId: choice.paymentMethodId ?? null,
    ...(choice.origin && { origin: choice.origin }),
  };
  const { plan, unplanned } = planOrders({
    basket,
    facts,
    choice: stored,
    useCredit: choice.useCredit,
    discountCodeId: cart.code?.id ?? null,
    referralRefused: cart.referral_refused,
  });
  if (unplanned.length > 0)
    throw new AppError(422, "A pre-order in your cart has no delivery day yet. Please remove it.", {
      code: "no_delivery",
      items: unplanned.map(({ line }) => line.variantId),
    });
  return { cart, facts, basket, choice: stored, plan };
}
