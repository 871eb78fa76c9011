import { z } from "zod";

import { BodyId, CalendarDate } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { ConfirmationToken, PurchaseChallenge, TestCard } from "./payments.ts";

const WAGON_PASS_PLANS = ["monthly", "yearly"] as const;

/** docs/product.md §7; `status` null: never had one. */
export const WagonPass = z
  .object({
    status: z.enum(["active", "cancelled", "lapsed"]).nullable(),
    plan: z.enum(WAGON_PASS_PLANS).nullable(),
    renewsOn: CalendarDate.nullable(),
    endsOn: CalendarDate.nullable(),
    /** The renewal that is due was not paid: buying the same plan pays it, and the bank can ask the shopper to confirm it. */
    isOverdue: z.boolean(),
  })
  .meta({ id: "WagonPass" });
export type WagonPass = z.infer<typeof WagonPass>;

export const getWagonPass = endpoint({ method: "GET", url: "/wagon-pass", schema: { response: { 200: WagonPass } } });

/** Buys it with a saved or a new card, which is kept for the renewals. Active already: 409 `active`. */
export const buyWagonPass = endpoint({
  method: "POST",
  url: "/wagon-pass",
  schema: {
    body: z.object({
      plan: z.enum(WAGON_PASS_PLANS),
      paymentMethodId: BodyId.nullish(),
      card: TestCard.nullish(),
      confirmationToken: ConfirmationToken.nullish(),
    }),
    response: { 200: WagonPass, 202: PurchaseChallenge },
  },
});

/** Renews no more; it stays until it ends. */
export const cancelWagonPass = endpoint({
  method: "DELETE",
  url: "/wagon-pass",
  schema: { response: { 200: WagonPass } },
});
