import { GIFT_CARD_MAX, GIFT_CARD_MIN } from "@marketday/domain/limits";
import { z } from "zod";

import { Customer } from "./account.ts";
import { BodyId, CalendarDate, code, Email, IdParams, prose } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { ConfirmationToken, PurchaseChallenge, TestCard } from "./payments.ts";

/** docs/product.md §7: paid like an order; the code is mailed on `deliverOn`. 402 declined, 422 `payment_required`. */
export const buyGiftCard = endpoint({
  method: "POST",
  url: "/gift-cards",
  schema: {
    body: z.object({
      /** Dollars, 10 to 500. */
      amount: z
        .number()
        .min(GIFT_CARD_MIN / 100)
        .max(GIFT_CARD_MAX / 100)
        .multipleOf(0.01),
      recipientEmail: Email,
      message: prose(250).default(""),
      deliverOn: CalendarDate,
      paymentMethodId: BodyId.nullish(),
      card: TestCard.nullish(),
      confirmationToken: ConfirmationToken.nullish(),
    }),
    response: { 201: z.object({ id: z.number().int(), deliverOn: CalendarDate }), 202: PurchaseChallenge },
  },
});

/** A gift card as its buyer sees it; never its code. */
export const GiftCard = z
  .object({
    id: z.number().int(),
    /** Dollars. */
    amount: z.number(),
    /** Null: the recipient's account was deleted, and the address with it. */
    recipientEmail: z.string().nullable(),
    message: z.string(),
    deliverOn: CalendarDate,
    /** `failing`: the mail server rejected it so far, and it is tried again. What is left of it is the recipient's. */
    state: z.enum(["waiting", "sent", "failing", "redeemed"]),
    /** Counts its codes: a request to send it again names the one that it was seen with. */
    version: z.number().int(),
    canResend: z.boolean(),
  })
  .meta({ id: "GiftCard" });
export type GiftCard = z.infer<typeof GiftCard>;

/** The gift cards that the customer bought, newest first. */
export const listGiftCards = endpoint({
  method: "GET",
  url: "/gift-cards",
  schema: { response: { 200: z.array(GiftCard) } },
});

/**
 * Sends a gift card again, to this address, with a new code; the earlier code is dead at once. 404 unknown or another customer's, 409
 * `redeemed`, `sent_often`, or `changed` when it was sent again to another address since `version`.
 */
export const resendGiftCard = endpoint({
  method: "POST",
  url: "/gift-cards/:id/resend",
  schema: {
    params: IdParams,
    body: z.object({ recipientEmail: Email, version: z.number().int().positive() }),
    response: { 200: GiftCard },
  },
});

/** Turns a code into store credit, once: 422 `bad_code` for wrong and spent alike. Answers the customer. */
export const redeemGiftCard = endpoint({
  method: "POST",
  url: "/gift-cards/redeem",
  schema: { body: z.object({ code: code(50).min(1) }), response: { 200: Customer } },
});
