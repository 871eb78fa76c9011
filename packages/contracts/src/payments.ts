import { cleanDigits } from "@marketday/domain/text";
import { z } from "zod";

import { CalendarDate, IdParams } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Card data, for the test provider alone: with a real one it never reaches the server. */
export const TestCard = z.object({
  number: z
    .string()
    .overwrite(cleanDigits)
    .regex(/^\d{12,19}$/, "Enter the card number"),
  expMonth: z.number().int().min(1).max(12),
  expYear: z.number().int().min(2000).max(2100),
  cvc: z
    .string()
    .overwrite(cleanDigits)
    .regex(/^\d{3,4}$/, "Enter the 3 or 4 digits on the card"),
});

/** Stripe's one-time token for what was typed into its own form. */
export const ConfirmationToken = z.string().regex(/^ctoken_\w{1,200}$/, "Enter the card again");

/** The bank requires a challenge before a card pays, or is saved. `clientSecret` is the provider's, for its script. */
export const PurchaseChallenge = z.object({ challenge: z.object({ paymentId: z.uuid(), clientSecret: z.string() }) });
const CardChallenge = z.object({ challenge: z.object({ setupId: z.string(), clientSecret: z.string() }) });

/** A saved way to pay (docs/product.md §7). */
export const PaymentMethod = z
  .object({
    id: z.number().int(),
    brand: z.string(),
    last4: z.string(),
    expMonth: z.number().int(),
    expYear: z.number().int(),
    isDefault: z.boolean(),
  })
  .meta({ id: "PaymentMethod" });
export type PaymentMethod = z.infer<typeof PaymentMethod>;

/** docs/product.md §7: the customer's saved cards, the default first. */
export const listPaymentMethods = endpoint({
  method: "GET",
  url: "/payment-methods",
  schema: { response: { 200: z.array(PaymentMethod) } },
});

/**
 * Saves a card without a purchase: `card` is the test provider's, `confirmationToken` Stripe's. Answers the whole list; 202:
 * the bank requires a challenge; 402 declined.
 */
export const addPaymentMethod = endpoint({
  method: "POST",
  url: "/payment-methods",
  schema: {
    body: z.object({ card: TestCard.nullish(), confirmationToken: ConfirmationToken.nullish() }),
    response: { 200: z.array(PaymentMethod), 202: CardChallenge },
  },
});

/** After the bank's question about a card to be kept: the whole list, 402 refused, 404 not this customer's. */
export const completePaymentMethod = endpoint({
  method: "POST",
  url: "/payment-methods/complete",
  schema: {
    body: z.object({ setupId: z.string().regex(/^\w{1,100}$/) }),
    response: { 200: z.array(PaymentMethod), 202: CardChallenge },
  },
});

/** After the bank's question about a gift card or a pass: it is bought; 402 refused, 404 not this customer's. `approve` is the test provider's. */
export const completePurchase = endpoint({
  method: "POST",
  url: "/purchases/:paymentId/complete",
  schema: {
    params: z.object({ paymentId: z.uuid() }),
    body: z.object({ approve: z.boolean().optional() }),
    response: { 200: z.object({ success: z.literal(true) }), 202: PurchaseChallenge },
  },
});

/** The idempotency key of an earlier request whose response was lost. */
export const LostKey = z.object({ key: z.string().regex(/^[\x21-\x7e]{1,200}$/) });

/** What was bought, as it was sent. */
export const Purchase = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("gift-card"),
    /** Dollars. */
    amount: z.number(),
    recipientEmail: z.string(),
    deliverOn: CalendarDate,
  }),
  z.object({ kind: z.literal("wagon-pass"), plan: z.enum(["monthly", "yearly"]) }),
]);
export type Purchase = z.infer<typeof Purchase>;

/**
 * The result of the customer's purchase with a key (docs/product.md §7). 202: the bank still requires its challenge; 404 `no_attempt`:
 * nothing was bought, and the key may be used again; 409 `still_running`.
 */
export const resumePurchase = endpoint({
  method: "POST",
  url: "/purchases/resume",
  schema: { body: LostKey, response: { 200: Purchase, 202: PurchaseChallenge } },
});

/** Takes a card off. One that an open order still needs: 409 `in_use`. */
export const removePaymentMethod = endpoint({
  method: "DELETE",
  url: "/payment-methods/:id",
  schema: { params: IdParams, response: { 200: z.array(PaymentMethod) } },
});

export const setDefaultPaymentMethod = endpoint({
  method: "PUT",
  url: "/payment-methods/:id/default",
  schema: { params: IdParams, response: { 200: z.array(PaymentMethod) } },
});
