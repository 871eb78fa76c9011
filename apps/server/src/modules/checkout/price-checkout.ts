import { CheckoutChoice, type Quote } from "@marketday/contracts/checkout";
import type { HomeDelivery } from "@marketday/contracts/hubs";
import type { Conn } from "@marketday/db";
import type { PricedCart } from "@marketday/domain/price-cart";
import { normaliseCode } from "@marketday/domain/promotion";
import type { ReferralRefusal } from "@marketday/domain/referral";

import { loginRequired } from "../../lib/app-error.ts";
import { type CartLineRow, type CartOwner, type CartRow, findDiscountCode, loadCart } from "../cart/cart-sql.ts";
import { findOtherMarket, type OtherMarket } from "../cart/other-market.ts";
import { priceStoredCart, type StoredLine } from "../cart/price-stored-cart.ts";
import { type HubDirectory, hubDirectory } from "../hubs/directory.ts";
import { addressDoor, homeDeliveryOf } from "../hubs/home-delivery.ts";
import { asCustomerId, type Context, type CustomerId } from "../identity/context.ts";
import type { CheckoutPlan, StoredChoice } from "../orders/plan.ts";
import { findCardlessRefusal } from "../referrals/refusal.ts";
import { findAttempt } from "./attempt-store.ts";
import { type CheckoutFacts, loadCheckoutFacts } from "./checkout-facts-sql.ts";
import { Refused } from "./outcome.ts";
import { planOrders } from "./plan-orders.ts";
import { serializeQuote } from "./serialize.ts";

/** A cart with its price and order plan for a checkout choice. */
interface PricedChoice {
  cart: CartRow;
  facts: CheckoutFacts;
  pricedCart: PricedCart<StoredLine>;
  choice: StoredChoice;
  plan: CheckoutPlan;
  /** Why the plan has no referral discount; null: it has one, or there is no referral. */
  referralRefusal: ReferralRefusal | null;
}

/** The same with what the market is to the choice (docs/product.md §3 "Market of a session"). */
export interface PricedCheckout extends PricedChoice {
  /** For the address of a home delivery; null: pickup, no address yet, or the hub is not published. */
  homeDelivery: HomeDelivery | null;
  /** The market that lines of the cart are from, where it is another one. */
  otherMarket: OtherMarket | null;
}

/** Selects the cart lines that are bought. */
export type LineFilter = (line: CartLineRow) => boolean;

/** What a checkout is priced from. */
export interface CheckoutInput {
  cart: CartRow;
  facts: CheckoutFacts;
}

/**
 * Loads the cart and its checkout facts, in two statements.
 * @param address where a delivery is going; it decides whether the referral discount applies
 */
export async function loadCheckout(
  ctx: Context,
  conn: Conn,
  customerId: CustomerId,
  hubId: number,
  address?: CheckoutChoice["deliveryAddress"],
): Promise<CheckoutInput> {
  const cart = await loadCart(conn, { customerId }, hubId, address);
  const facts = await loadCheckoutFacts(conn, customerId, hubId, ctx.deps.payments.name, ctx.now);
  if (!facts) throw loginRequired();
  return { cart, facts };
}

/** Whether the hub is published: only then are orders placed in it. */
export const isOpen = async ({ deps }: Context, { hub_id: hubId }: CheckoutFacts): Promise<boolean> =>
  (await hubDirectory(deps)).byId(hubId) !== undefined;

/** A shopper orders only in a published hub. @throws Refused `no_delivery` */
export async function assertOpen(ctx: Context, facts: CheckoutFacts): Promise<void> {
  if (await isOpen(ctx, facts)) return;
  const message = `${facts.hub_name} is closed at the moment. Choose another market.`;
  throw new Refused({ code: "no_delivery", message });
}

/** The address of a delivery, for `loadCheckout`. */
export const addressOf = (choice: CheckoutChoice) => (choice.type === "delivery" ? choice.deliveryAddress : undefined);

/** Replaces the cart's discount code by the one of the choice; null takes it off. @throws Refused `bad_code` */
export async function applyCode(
  conn: Conn,
  cart: CartRow,
  choice: CheckoutChoice,
  customerId: CustomerId,
): Promise<void> {
  if (choice.discountCode === null) cart.code = null;
  if (!choice.discountCode) return;
  const code = await findDiscountCode(conn, normaliseCode(choice.discountCode), customerId);
  if (!code) throw new Refused({ code: "bad_code", message: "There is no such code." }, { field: "discountCode" });
  cart.code = code;
}

/**
 * Prices a choice for the owner's cart, a guest's too. A quote and an order are priced by the same functions, so that they cannot
 * differ. @throws Refused `bad_code`, `no_delivery`
 */
export async function quoteCheckout(
  ctx: Context,
  owner: CartOwner,
  hubId: number,
  choice: CheckoutChoice,
): Promise<Quote | null> {
  const { db } = ctx.deps;
  if ("guestId" in owner) return quoteGuest(ctx, owner, hubId, choice);
  const { customerId } = owner;
  const { cart, facts } = await loadCheckout(ctx, db, customerId, hubId, addressOf(choice));
  await assertOpen(ctx, facts);
  await applyCode(db, cart, choice, customerId);
  return serializeQuote(await priceWithReferral(ctx, db, customerId, hubId, { cart, facts }, choice));
}

/**
 * The quote of a guest: what a new customer of this market would pay, without a referral discount. A code of the choice needs an
 * account; null takes the cart's code off.
 * @throws Refused `no_delivery`
 */
async function quoteGuest(
  ctx: Context,
  owner: CartOwner,
  hubId: number,
  choice: CheckoutChoice,
): Promise<Quote | null> {
  const { db, payments } = ctx.deps;
  const cart = await loadCart(db, owner, hubId);
  if (choice.discountCode === null) cart.code = null;
  const facts = await loadCheckoutFacts(db, null, hubId, payments.name, ctx.now);
  if (!facts) throw loginRequired();
  await assertOpen(ctx, facts);
  const priced = priceCheckout(ctx, { cart, facts }, hubId, choice);
  return serializeQuote(withMarket(await hubDirectory(ctx.deps), priced));
}

/**
 * A new quote for the choice of an attempt, at current prices. Null: it can no longer be priced, for example because its
 * discount code has expired; the shopper then reviews the checkout without a quote.
 */
export async function quoteAgain(ctx: Context, attemptId: string): Promise<Quote | null> {
  const { db } = ctx.deps;
  const attempt = await findAttempt(db, attemptId);
  if (!attempt) return null;
  const { choice, plan } = attempt;
  const code =
    plan.discountCodeId === null ? null : await db.discount_code.findUnique({ where: { id: plan.discountCodeId } });
  const parsed = CheckoutChoice.safeParse({
    ...choice,
    deliveryAddress: choice.address ?? undefined,
    pickupPointId: choice.pickupPointId ?? undefined,
    discountCode: code?.code ?? null,
    useCredit: plan.creditCents > 0,
  });
  if (!parsed.success) return null;
  try {
    return await quoteCheckout(ctx, { customerId: asCustomerId(attempt.customer_id) }, attempt.hub_id, parsed.data);
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/**
 * Prices a loaded cart for a checkout, without a referral discount that needs a card or a new address (docs/product.md §17). Also
 * previews the next automatic order. @throws Refused `no_delivery`
 */
export async function priceWithReferral(
  ctx: Context,
  conn: Conn,
  customerId: CustomerId,
  hubId: number,
  { cart, facts }: CheckoutInput,
  choice: CheckoutChoice,
): Promise<PricedCheckout> {
  const { takesCards } = ctx.deps.payments;
  const priced = withMarket(await hubDirectory(ctx.deps), priceCheckout(ctx, { cart, facts }, hubId, choice));
  const { plan } = priced;
  if (!plan.usesReferral || (takesCards && plan.amountDueCents > 0)) return priced;
  const referralRefusal = await findCardlessRefusal(conn, customerId, priced.choice.address, {
    takesCards,
    pepper: ctx.deps.env.pepper,
  });
  if (referralRefusal === null) return priced;
  const unreferred = priceCheckout(ctx, { cart: { ...cart, has_referral: false }, facts }, hubId, choice);
  return { ...priced, ...unreferred, referralRefusal };
}

const withMarket = (directory: HubDirectory, priced: PricedChoice): PricedCheckout => {
  const { cart, facts, choice } = priced;
  const door = choice.address && addressDoor(choice.address.zipCode, facts);
  return {
    ...priced,
    homeDelivery: door && homeDeliveryOf(directory, facts.hub_id, door),
    otherMarket: findOtherMarket(directory, cart.lines, facts.hub_id, true),
  };
};

/** Prices a loaded cart. @throws Refused `no_delivery` */
function priceCheckout(
  { deps, now }: Context,
  { cart, facts }: CheckoutInput,
  hubId: number,
  choice: CheckoutChoice,
): PricedChoice {
  const pricedCart = priceStoredCart(cart, hubId, now);
  const stored: StoredChoice = {
    type: choice.type,
    address: choice.type === "delivery" ? (choice.deliveryAddress ?? facts.default_address) : null,
    pickupPointId: choice.type === "pickup" ? (choice.pickupPointId ?? null) : null,
    deliveryNotes: choice.deliveryNotes,
    tipPercentage: choice.tipPercentage,
    savePaymentMethod: choice.savePaymentMethod,
    paymentMethodId: choice.paymentMethodId ?? null,
    useNextTime: choice.useNextTime,
    ...(choice.origin && { origin: choice.origin }),
  };
  const { plan, unplanned } = planOrders({
    pricedCart,
    facts,
    choice: stored,
    useCredit: choice.useCredit,
    takesCards: deps.payments.takesCards,
    discountCodeId: cart.code?.id ?? null,
    referralRefused: cart.referral_refused,
  });
  if (unplanned.length > 0)
    throw new Refused(
      { code: "no_delivery", message: "A pre-order in your cart has no delivery day yet. Please remove it." },
      { items: unplanned.map(({ line }) => line.variantId) },
    );
  return { cart, facts, pricedCart, choice: stored, plan, referralRefusal: plan.referralRefused };
}
