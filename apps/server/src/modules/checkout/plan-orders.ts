import { calendarDate } from "@marketday/domain/calendar-date";
import { preOrderDay } from "@marketday/domain/delivery";
import { CARD_MINIMUM, DELIVERY_FEE_DEFAULT } from "@marketday/domain/limits";
import { addCents, allocate, cents, type Cents, minCents, subtractCents, zeroCents } from "@marketday/domain/money";
import type { PricedCart, PricedCartLine } from "@marketday/domain/price-cart";
import { priceOrder } from "@marketday/domain/pricing";
import { type ReferralMatch, sameAddress } from "@marketday/domain/referral";

import type { StoredLine } from "../cart/price-stored-cart.ts";
import type { CheckoutPlan, PlannedLine, PlannedOrder, StoredChoice } from "../orders/plan.ts";
import type { CheckoutFacts } from "./checkout-facts-sql.ts";

type Line = PricedCartLine<StoredLine>;
type Delivery = CheckoutFacts["deliveries"][number];

export interface PlanInput {
  pricedCart: PricedCart<StoredLine>;
  facts: CheckoutFacts;
  choice: Pick<StoredChoice, "type" | "address" | "pickupPointId" | "tipPercentage">;
  useCredit: boolean;
  /** Whether what is due is charged to a card. */
  takesCards: boolean;
  discountCodeId: number | null;
  referralRefused: ReferralMatch | null;
}

/** The delivery of a line: the next one, or a pre-order's own day (docs/product.md §8). Null: that day is not planned. */
function deliveryFor(line: Line, deliveries: readonly Delivery[]): Delivery | null {
  const [next] = deliveries;
  const date = line.line.row.pre_order_date;
  if (date === null || !next) return next ?? null;
  const day = preOrderDay(
    deliveries.map((delivery) => ({ day: calendarDate(delivery.day), delivery })),
    calendarDate(date),
  );
  return day?.delivery ?? null;
}

/** The open order for the same day and address that the checkout joins as an add-on: one box, one delivery fee (docs/product.md §8). */
function findJoinable(day: Delivery, { facts, choice }: PlanInput): number | null {
  const order = facts.open_orders.find(
    (open) =>
      open.delivery_id === day.id &&
      open.type === choice.type &&
      (choice.type === "pickup"
        ? open.pickup_point_id === choice.pickupPointId
        : open.address !== null && choice.address !== null && sameAddress(open.address, choice.address)),
  );
  return order?.id ?? null;
}

function plannedLine(line: Line, discountCents: Cents, taxCents: Cents, commissionPpm: number): PlannedLine {
  const { row } = line.line;
  return {
    cartItemId: row.id,
    variantId: row.variant_id,
    offerId: row.offer_id!,
    bundleId: row.bundle_id,
    vendorId: row.vendor_id,
    productTitle: row.product_title || "Title Missing",
    variantTitle: row.variant_title,
    quantity: line.quantity,
    listPriceCents: row.price_cents!,
    salePriceCents: row.sale_price_cents,
    unitCents: line.unitCents,
    discountCents,
    taxCents,
    commissionPpm,
    subscriptionInterval: row.subscription_interval,
  };
}

/**
 * Splits a cart into orders: the box, and one order per pre-order day, each priced by `priceOrder`. Code and referral
 * discounts are allocated over all lines to the cent; store credit pays the orders in sequence. `unplanned` are pre-orders
 * whose delivery day is not planned yet.
 */
export function planOrders(input: PlanInput): { plan: CheckoutPlan; unplanned: Line[] } {
  const { pricedCart, facts, choice } = input;
  const counted = pricedCart.lines.filter((line) => line.counts);
  const days = counted.map((line) => deliveryFor(line, facts.deliveries));
  const unplanned = counted.filter((_, index) => days[index] === null);
  const shared = allocate(
    addCents(pricedCart.codeDiscountCents, pricedCart.referralDiscountCents),
    counted.map((line) => subtractCents(line.totalCents, line.bundleDiscountCents)),
  );
  const byDay = new Map<number, { day: Delivery; lines: { line: Line; discountCents: Cents }[] }>();
  counted.forEach((line, index) => {
    const day = days[index];
    if (!day) return;
    const group = byDay.get(day.id) ?? { day, lines: [] };
    group.lines.push({ line, discountCents: addCents(line.bundleDiscountCents, shared[index]!) });
    byDay.set(day.id, group);
  });

  const fee = facts.delivery_fee_cents === null ? DELIVERY_FEE_DEFAULT : cents(facts.delivery_fee_cents);
  let creditLeft = input.useCredit ? cents(facts.credit_cents) : zeroCents;
  const orders = [...byDay.values()]
    .toSorted((a, b) => (a.day.day < b.day.day ? -1 : 1))
    .map(({ day, lines }, part): PlannedOrder => {
      const joinsOrderId = findJoinable(day, input);
      const discountCents = addCents(...lines.map((line) => line.discountCents));
      const ownDeliveryFeeCents = choice.type === "pickup" || facts.has_wagon_pass ? zeroCents : fee;
      const price = priceOrder({
        lines: lines.map(({ line }) => ({ quantity: line.quantity, unitCents: line.unitCents })),
        tipPercentage: choice.tipPercentage,
        taxRatePpm: facts.tax_rate_ppm,
        processing: { ppm: facts.processing_ppm, fixedCents: cents(facts.processing_fixed_cents) },
        deliveryFeeCents: joinsOrderId === null ? ownDeliveryFeeCents : zeroCents,
        discountCents,
        creditCents: creditLeft,
        leastDueCents: input.takesCards ? CARD_MINIMUM : zeroCents,
      });
      creditLeft = subtractCents(creditLeft, price.creditUsedCents);
      const taxes = allocate(
        price.taxCents,
        lines.map(({ line, discountCents: off }) => subtractCents(line.totalCents, minCents(off, line.totalCents))),
      );
      return {
        part,
        deliveryId: day.id,
        day: day.day,
        cutoffAt: new Date(day.cutoff_at).toISOString(),
        isPreOrder: day.id !== facts.deliveries[0]?.id,
        joinsOrderId,
        ownDeliveryFeeCents,
        lines: lines.map(({ line, discountCents: off }, index) =>
          plannedLine(line, off, taxes[index]!, facts.commission_ppm),
        ),
        itemsCents: price.itemsCents,
        tipCents: price.tipCents,
        taxCents: price.taxCents,
        taxRatePpm: facts.tax_rate_ppm,
        cardFeeCents: price.cardFeeCents,
        deliveryFeeCents: price.deliveryFeeCents,
        discountCents: price.discountCents,
        waivedCents: price.waivedCents,
        orderTotalCents: price.orderTotalCents,
        creditCents: price.creditUsedCents,
      };
    });
  const total = addCents(...orders.map(({ orderTotalCents }) => cents(orderTotalCents)));
  const credit = addCents(...orders.map(({ creditCents }) => cents(creditCents)));
  return {
    unplanned,
    plan: {
      orders,
      discountCodeId: pricedCart.codeDiscountCents > 0 ? input.discountCodeId : null,
      usesReferral: pricedCart.referralDiscountCents > 0,
      referralRefused: input.referralRefused,
      orderTotalCents: total,
      creditCents: credit,
      keptCreditCents: input.useCredit ? subtractCents(minCents(cents(facts.credit_cents), total), credit) : zeroCents,
      amountDueCents: subtractCents(total, credit),
    },
  };
}
