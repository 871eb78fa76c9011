import { DELIVERY_NOTES_MAX, DISCOUNT_CODE_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import { AddressInput, BodyId, CalendarDate, code, Instant, Money, Origin, prose } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { HomeDelivery, PickupPoint } from "./hubs.ts";
import { ConfirmationToken, LostKey, PaymentMethod, TestCard } from "./payments.ts";

/** What a shopper chooses at checkout (docs/product.md §7). Amounts are never the shopper's to say. */
export const CheckoutChoice = z.object({
  type: z.enum(["delivery", "pickup"]),
  deliveryAddress: AddressInput.optional(),
  pickupPointId: BodyId.optional(),
  deliveryNotes: prose(DELIVERY_NOTES_MAX).default(""),
  tipPercentage: z.literal([0, 5, 10, 20]).default(0),
  /** Instead of the cart's; `null`: none, not even the cart's. */
  discountCode: code(DISCOUNT_CODE_MAX).nullish(),
  useCredit: z.boolean().default(false),
  paymentMethodId: BodyId.nullish(),
  card: TestCard.nullish(),
  /** Stripe's one-time token for what was typed into its own form; card data never reaches the server. */
  confirmationToken: ConfirmationToken.nullish(),
  savePaymentMethod: z.boolean().default(false),
  /** The order's address or pickup point, and the saved card that it is paid with, are used for automatic orders and next time. */
  useNextTime: z.boolean().default(true),
  /** Where the shopper came from (spec §2.2); kept with the order's attempt. */
  origin: Origin.pick({ trk: true, utmSource: true, utmCampaign: true }).optional().catch(undefined),
});
export type CheckoutChoice = z.infer<typeof CheckoutChoice>;

/** One order that a checkout would place: the box, then one for each pre-order day. */
const QuotedOrder = z.object({
  deliveryDate: CalendarDate,
  cutoff: Instant,
  isPreOrder: z.boolean(),
  /** It joins an open order as add-ons: no second delivery fee. */
  joinsOrderId: z.number().int().nullable(),
  subtotal: Money,
  discountAmount: Money,
  tip: Money,
  processingFee: Money,
  fees: z.object({ delivery: Money, card: Money }),
  tax: Money,
  waived: Money,
  orderTotal: Money,
});

/** A priced choice (docs/product.md §7). Gift card and credit lower `amountDue`, never `orderTotal`. */
export const Quote = z
  .object({
    subtotal: Money,
    discountAmount: Money,
    tip: Money,
    processingFee: Money,
    fees: z.object({ delivery: Money, card: Money }),
    tax: Money,
    /** A rest that is too small for a card; `orderTotal` is without it. */
    waived: Money,
    orderTotal: Money,
    /** Store credit that would be used. */
    credit: Money,
    /** Why less store credit would be used than there is; null when all of it is that fits. */
    creditNote: z.string().nullable(),
    amountDue: Money,
    deliveryDate: CalendarDate,
    cutoff: Instant,
    timeZone: z.string(),
    /** Why the discount for a friend's first order is not included; null when it is, or there is none. */
    referralNote: z.string().nullable(),
    /** For the address of a home delivery, as far as it is known; null for pickup. */
    homeDelivery: HomeDelivery.nullish(),
    /** That lines of the cart are from another market than this one; null: none are. */
    marketNote: z.string().nullish(),
    orders: z.array(QuotedOrder),
    pickupPoints: z.array(PickupPoint),
    paymentMethods: z.array(PaymentMethod),
  })
  .meta({ id: "Quote" });
export type Quote = z.infer<typeof Quote>;

/**
 * Prices a choice without changing anything. The address may still be missing: then it prices home delivery. A guest has the price of
 * a new customer without a referral discount, and tries no code: 401 `login_required`.
 */
export const quoteCheckout = endpoint({
  method: "POST",
  url: "/checkout/quote",
  schema: { body: CheckoutChoice, response: { 200: Quote } },
});

export const Placed = z.object({ orderId: z.number().int(), orderIds: z.array(z.number().int()) });
const Challenge = z.object({
  challenge: z.object({ attemptId: z.string(), clientSecret: z.string() }),
});

/** A line that is bought: variant, and bundle or none. */
const ExpectedItem = z.object({ variantId: BodyId, bundleId: BodyId.nullish(), quantity: z.number().int() });

/**
 * Places what the cart holds. 201 placed; 202 the bank requires a challenge; 402 `card_declined`;
 * 409 `total_changed`, `cart_changed` or `market_changed` with `quote`, `sold_out` with `items`, `cart_empty` with `orderIds` when another tab bought it,
 * `past_cutoff`; 422 `outside_hub`; 429 `payment_limit`, `code_limit`; 503 `payments_down`. A guest: 401 `login_required`.
 */
export const placeOrder = endpoint({
  method: "POST",
  url: "/checkout",
  schema: {
    body: CheckoutChoice.extend({
      expectedTotal: z.number().nonnegative(),
      /** The quote's `deliveryDate`: when that day has closed meanwhile, nothing is ordered for another one. */
      expectedDeliveryDate: CalendarDate.optional(),
      /** The market that the quote was for: nothing is ordered in another one that was chosen meanwhile. */
      expectedHubId: BodyId.optional(),
      /** What was shown to be bought: a cart that was changed since is not ordered, even at the same total. */
      expectedItems: z.array(ExpectedItem).max(200).optional(),
    }),
    response: { 201: Placed, 202: Challenge },
  },
});

/** After a challenge. `approve` is the test provider's. 201 placed, 402 refused, 409 `total_changed`: quote again, `superseded`: another tab paid, with its `orderIds`. */
export const completeCheckout = endpoint({
  method: "POST",
  url: "/checkout/:attemptId/complete",
  schema: {
    params: z.object({ attemptId: z.uuid() }),
    body: z.object({ approve: z.boolean().optional() }),
    response: { 201: Placed, 202: Challenge },
  },
});

/**
 * The result of the customer's checkout with an idempotency key, where its response was lost: as of `placeOrder`, its refusal
 * too. 404 `no_attempt`: nothing was placed, and the key may be used again; 409 `still_running`.
 */
export const resumeCheckout = endpoint({
  method: "POST",
  url: "/checkout/resume",
  schema: { body: LostKey, response: { 201: Placed, 202: Challenge } },
});
