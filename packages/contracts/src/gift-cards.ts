import { GIFT_CARD_MAX, GIFT_CARD_MIN } from "@marketday/domain/limits";
import { z } from "zod";

import { Customer } from "./account.ts";
import { BodyId, CalendarDate, code, Email, prose } from "./common.ts";
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

/** Turns a code into store credit, once: 422 `bad_code` for wrong and spent alike. Answers the customer. */
export const redeemGiftCard = endpoint({
  method: "POST",
  url: "/gift-cards/redeem",
  schema: { body: z.object({ code: code(50).min(1) }), response: { 200: Customer } },
});
