import type { Quote } from "@marketday/contracts/checkout";
import type { HomeDelivery } from "@marketday/contracts/hubs";
import { CARD_MINIMUM } from "@marketday/domain/limits";
import { cents, formatUsd, toDollars } from "@marketday/domain/money";
import { type ReferralRefusal, referralRefusal } from "@marketday/domain/referral";

import type { OtherMarket } from "../cart/other-market.ts";
import type { CheckoutPlan, PlannedOrder } from "../orders/plan.ts";
import type { CheckoutFacts } from "./checkout-facts-sql.ts";

const dollars = (amount: number) => toDollars(cents(amount));
const sum = (orders: readonly PlannedOrder[], part: (order: PlannedOrder) => number) =>
  dollars(orders.reduce((total, order) => total + part(order), 0));

/** Converts a priced checkout to the API response. An empty cart has totals of 0 and the next delivery day. Null: no delivery is planned. */
export function serializeQuote({
  facts,
  plan,
  referralRefusal: refusal,
  homeDelivery,
  otherMarket,
}: {
  facts: CheckoutFacts;
  plan: CheckoutPlan;
  referralRefusal: ReferralRefusal | null;
  homeDelivery: HomeDelivery | null;
  otherMarket: OtherMarket | null;
}): Quote | null {
  const [next] = facts.deliveries;
  if (!next) return null;
  const { orders } = plan;
  const first = orders[0];
  return {
    subtotal: sum(orders, (order) => order.itemsCents - order.discountCents),
    discountAmount: sum(orders, (order) => order.discountCents),
    tip: sum(orders, (order) => order.tipCents),
    processingFee: sum(orders, (order) => order.cardFeeCents + order.deliveryFeeCents),
    fees: {
      delivery: sum(orders, (order) => order.deliveryFeeCents),
      card: sum(orders, (order) => order.cardFeeCents),
    },
    tax: sum(orders, (order) => order.taxCents),
    waived: sum(orders, (order) => order.waivedCents),
    orderTotal: dollars(plan.orderTotalCents),
    credit: dollars(plan.creditCents),
    creditNote:
      plan.keptCreditCents > 0
        ? `Cards are charged ${formatUsd(CARD_MINIMUM)} or more, so ${formatUsd(cents(plan.keptCreditCents))} of your store credit stays in your account.`
        : null,
    amountDue: dollars(plan.amountDueCents),
    deliveryDate: first?.day ?? next.day,
    cutoff: first?.cutoffAt ?? new Date(next.cutoff_at).toISOString(),
    timeZone: facts.time_zone,
    referralNote: refusal && referralRefusal(refusal),
    homeDelivery,
    marketNote: otherMarket && `${otherMarket.title} ${otherMarket.body}`,
    orders: orders.map((order) => ({
      deliveryDate: order.day,
      cutoff: order.cutoffAt,
      isPreOrder: order.isPreOrder,
      joinsOrderId: order.joinsOrderId,
      subtotal: dollars(order.itemsCents - order.discountCents),
      discountAmount: dollars(order.discountCents),
      tip: dollars(order.tipCents),
      processingFee: dollars(order.cardFeeCents + order.deliveryFeeCents),
      fees: { delivery: dollars(order.deliveryFeeCents), card: dollars(order.cardFeeCents) },
      tax: dollars(order.taxCents),
      waived: dollars(order.waivedCents),
      orderTotal: dollars(order.orderTotalCents),
    })),
    pickupPoints: facts.pickup_points.map(({ zip_code, ...point }) => ({ ...point, zipCode: zip_code })),
    paymentMethods: facts.payment_methods.map((method) => ({
      id: method.id,
      brand: method.brand,
      last4: method.last4,
      expMonth: method.exp_month,
      expYear: method.exp_year,
      isDefault: method.is_default,
    })),
  };
}
