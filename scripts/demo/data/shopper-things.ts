import type { CalendarDate } from "@marketday/domain/calendar-date";
import { addDays } from "@marketday/domain/calendar-date";
import { cents } from "@marketday/domain/money";
import { addMs, Day, Hour } from "@marketday/domain/time";

import { addTransaction, type OrderBook } from "./order-book.ts";
import { newCreditCents, newId, plainId, regularId } from "./people.ts";
import type { ProductPlan } from "./products.ts";
import { hexOf } from "./random.ts";
import type { CustomerRow, DeliveryRow, LooseRow, OfferRow, VariantRow } from "./rows.ts";

/** Cards, passes, subscriptions, carts and codes of the shoppers. */
export interface ShopperThings {
  paymentMethods: LooseRow[];
  passes: LooseRow[];
  subscriptions: LooseRow[];
  bundleSubscriptions: LooseRow[];
  carts: LooseRow[];
  cartItems: LooseRow[];
}

/** The discount codes of the market. */
export const discountCodes = [
  {
    id: 1,
    code: "WELCOME10",
    reason: "Ten percent off to begin with",
    percentPpm: 100_000,
    amountCents: null,
    minimumCents: 2500,
  },
  {
    id: 2,
    code: "ROOTS5",
    reason: "Five dollars off a full wagon",
    percentPpm: null,
    amountCents: 500,
    minimumCents: 4000,
  },
  {
    id: 3,
    code: "SNOWDAY15",
    reason: "For everyone whose street was not plowed",
    percentPpm: 150_000,
    amountCents: null,
    minimumCents: 3000,
  },
] as const;

const savedCard = (number: string, brand: string, customerId: number, at: string): LooseRow => ({
  id: customerId,
  customer_id: customerId,
  provider: "test",
  // The format of the test provider: it contains the card number.
  provider_ref: `tpm_${Buffer.from(number).toString("base64url")}.${hexOf(`saved ${customerId}`, 12)}`,
  brand,
  last4: number.slice(-4),
  exp_month: 8,
  exp_year: 2031,
  fingerprint: hexOf(`card:${number}`, 32),
  is_default: true,
  created_at: at,
});

export interface ShopperInput {
  plans: readonly ProductPlan[];
  variants: readonly VariantRow[];
  offers: readonly OfferRow[];
  customers: readonly CustomerRow[];
  deliveries: readonly DeliveryRow[];
  bundles: readonly LooseRow[];
  monday: CalendarDate;
  anchor: Date;
}

/** Cards, passes, subscriptions and carts of the three shoppers, and wagon passes of some others. */
export function buildShopperThings(input: ShopperInput): ShopperThings {
  const { plans, variants, offers, customers, deliveries, bundles, monday, anchor } = input;
  const at = addMs(anchor, -60 * Day.ms).toISOString();
  const planOf = new Map(plans.map((plan) => [plan.id, plan]));
  const stocked = offers.filter((offer) => offer.hub_id === 1 && offer.is_published && offer.inventory > 5);
  const find = (shelf: string, words: RegExp): { variant: VariantRow; offer: OfferRow } | null => {
    for (const offer of stocked) {
      const variant = variants[offer.variant_id - 1];
      const plan = variant && planOf.get(variant.product_id);
      if (variant && plan?.line.collection === shelf && words.test(plan.line.title) && !plan.preOrderDate)
        return { variant, offer };
    }
    return null;
  };
  const wanted = [
    { of: find("eggs", /Dozen|Eggs/), quantity: 1, weeks: 1 },
    { of: find("milk-cream", /Milk/), quantity: 2, weeks: 1 },
    { of: find("bread", /Rye|Sourdough/), quantity: 1, weeks: 2 },
    { of: find("coffee", /./), quantity: 1, weeks: 4 },
  ].flatMap(({ of, ...rest }) => (of ? [{ ...rest, ...of }] : []));
  const past = deliveries.filter((day) => day.hub_id === 1 && day.day < monday).map(({ day }) => day);
  const lastDay = past.at(-1) ?? null;

  const passes = customers
    .filter((customer) => customer.id === regularId || (customer.id > newId && customer.id % 17 === 0))
    .map((customer, place): LooseRow => {
      const yearly = customer.id === regularId || customer.id % 2 === 0;
      const started = addDays(monday, yearly ? -100 : -18);
      return {
        id: place + 1,
        customer_id: customer.id,
        plan: yearly ? "yearly" : "monthly",
        status: "active",
        started_on: started,
        renews_on: addDays(started, yearly ? 365 : 30),
        ends_on: null,
        created_at: `${started}T15:00:00.000Z`,
      };
    });

  const line = (
    cartId: number,
    { variant, offer }: { variant: VariantRow; offer: OfferRow },
    quantity: number,
    weeks: number | null,
  ): LooseRow => ({
    cart_id: cartId,
    variant_id: variant.id,
    quantity,
    subscription_interval: weeks,
    seen_price_cents: offer.sale_price_cents ?? offer.price_cents,
    created_at: addMs(anchor, -5 * Hour.ms).toISOString(),
  });
  const cartProducts = [
    find("roots", /Carrots/),
    find("cheese", /Cheddar|Gouda|Feta/),
    find("cookies-cakes", /Cookies/),
  ].flatMap((each) => each ?? []);
  return {
    paymentMethods: [
      savedCard("4242424242424242", "visa", regularId, at),
      savedCard("5555555555554444", "mastercard", plainId, at),
    ],
    passes,
    subscriptions: wanted.map(({ variant, quantity, weeks }) => ({
      customer_id: regularId,
      variant_id: variant.id,
      quantity,
      interval_weeks: weeks,
      last_day: lastDay,
      created_at: at,
    })),
    bundleSubscriptions: bundles
      .filter((bundle) => bundle.slug === "sunday-breakfast-carmel")
      .map((bundle) => ({
        customer_id: regularId,
        bundle_id: bundle.id ?? 0,
        interval_weeks: 4,
        last_day: lastDay,
        created_at: at,
      })),
    carts: [regularId, plainId].map((id) => ({ id, customer_id: id, version: 1, updated_at: anchor.toISOString() })),
    cartItems: [
      ...wanted.filter(({ weeks }) => weeks === 1).map((each) => line(regularId, each, each.quantity, each.weeks)),
      ...cartProducts.map((each, place) => line(plainId, each, place === 0 ? 2 : 1, null)),
    ],
  };
}

/** Adds the credit of the new shopper to the ledger. */
export function addNewCredit(book: OrderBook, anchor: Date): void {
  const credit = {
    kind: "credit",
    note: "A welcome from the market",
    created_at: addMs(anchor, -Hour.ms).toISOString(),
  };
  addTransaction(book, credit, [
    { account: "store_credit", customerId: newId, vendorId: null, amountCents: cents(newCreditCents) },
    { account: "promotions", customerId: null, vendorId: null, amountCents: cents(-newCreditCents) },
  ]);
}
