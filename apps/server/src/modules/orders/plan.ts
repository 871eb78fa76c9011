import { Address } from "@marketday/contracts/common";
import { REFERRAL_MATCHES } from "@marketday/domain/referral";
import { z } from "zod";

/** A cart line frozen for an attempt: item, price, vendor. Amounts in cents. */
export const PlannedLine = z.object({
  cartItemId: z.number().int().nullable(),
  variantId: z.number().int(),
  offerId: z.number().int(),
  bundleId: z.number().int().nullable(),
  vendorId: z.number().int(),
  productTitle: z.string(),
  variantTitle: z.string(),
  quantity: z.number().int(),
  listPriceCents: z.number().int(),
  salePriceCents: z.number().int().nullable(),
  unitCents: z.number().int(),
  discountCents: z.number().int(),
  taxCents: z.number().int(),
  commissionPpm: z.number().int(),
  subscriptionInterval: z.number().int().nullable(),
});
export type PlannedLine = z.infer<typeof PlannedLine>;

/** One order of an attempt: the box, or a pre-order of its own day (docs/product.md §8). */
export const PlannedOrder = z.object({
  part: z.number().int(),
  deliveryId: z.number().int(),
  day: z.string(),
  cutoffAt: z.string(),
  isPreOrder: z.boolean(),
  joinsOrderId: z.number().int().nullable(),
  /** The delivery fee without the box that it joins. */
  ownDeliveryFeeCents: z.number().int(),
  lines: z.array(PlannedLine),
  itemsCents: z.number().int(),
  tipCents: z.number().int(),
  taxCents: z.number().int(),
  taxRatePpm: z.number().int(),
  cardFeeCents: z.number().int(),
  deliveryFeeCents: z.number().int(),
  discountCents: z.number().int(),
  waivedCents: z.number().int().default(0),
  orderTotalCents: z.number().int(),
  creditCents: z.number().int(),
});
export type PlannedOrder = z.infer<typeof PlannedOrder>;

/** The orders that an attempt will place. Written before money moves, so that any worker can finish it (failures.md B1). */
export const CheckoutPlan = z.object({
  orders: z.array(PlannedOrder),
  discountCodeId: z.number().int().nullable(),
  usesReferral: z.boolean(),
  /** Why the first order gets no referral discount; null: it gets one, or has no referral. */
  referralRefused: z.enum(REFERRAL_MATCHES).nullable().default(null),
  orderTotalCents: z.number().int(),
  creditCents: z.number().int(),
  /** Store credit that is not used, so that what is due is not too small for a card. */
  keptCreditCents: z.number().int().default(0),
  amountDueCents: z.number().int(),
});
export type CheckoutPlan = z.infer<typeof CheckoutPlan>;

/** The checkout choice as stored, without card data. */
export const StoredChoice = z.object({
  type: z.enum(["delivery", "pickup"]),
  address: Address.nullable(),
  pickupPointId: z.number().int().nullable(),
  deliveryNotes: z.string(),
  tipPercentage: z.number().int(),
  savePaymentMethod: z.boolean(),
  paymentMethodId: z.number().int().nullable(),
  /** The place and the card are used for automatic orders and next time. */
  useNextTime: z.boolean().default(true),
  /** Where the shopper came from (spec §2.2). */
  origin: z
    .object({ trk: z.string().optional(), utmSource: z.string().optional(), utmCampaign: z.string().optional() })
    .optional(),
});
export type StoredChoice = z.infer<typeof StoredChoice>;
