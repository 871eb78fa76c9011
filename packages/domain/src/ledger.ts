/** Double entry: every move of money is a list of entries that sums to zero (docs/product.md §7). */

import { addCents, cents, minCents, partOf, subtractCents, timesCents, type Cents } from "./money.ts";

/** Where money is or goes. `shopper` is what a customer owes (below zero) or is owed. */
const LEDGER_ACCOUNTS = [
  "shopper",
  "provider",
  "store_credit",
  "gift_cards",
  "vendor",
  "commission",
  "delivery_fees",
  "card_fees",
  "tax",
  "tips",
  "discounts",
  "promotions",
  "refunds",
  "wagon_passes",
  "payouts",
  "write_offs",
] as const;
type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** Positive: the account gets; negative: it gives. */
export type LedgerEntry = {
  account: LedgerAccount;
  customerId: number | null;
  vendorId: number | null;
  amountCents: Cents;
};

export type SaleParts = {
  /** Null: an order without a customer. */
  customerId: number | null;
  lines: readonly { vendorId: number; quantity: number; unitCents: Cents; commissionPpm: number }[];
  tipCents: Cents;
  taxCents: Cents;
  cardFeeCents: Cents;
  deliveryFeeCents: Cents;
  discountCents: Cents;
  waivedCents: Cents;
};

const entry = (
  account: LedgerAccount,
  amountCents: Cents,
  who: { customerId?: number | null; vendorId?: number } = {},
): LedgerEntry => ({
  account,
  customerId: who.customerId ?? null,
  vendorId: who.vendorId ?? null,
  amountCents,
});

/** Entries that carry nothing are left out. */
const moving = (entries: LedgerEntry[]) => entries.filter(({ amountCents }) => amountCents !== 0);

/**
 * A sale: the shopper owes the total, each vendor gets their lines less the commission frozen at the sale, the market
 * bears the discounts and a waived rest. Commission is half up per line.
 */
export function saleEntries(parts: SaleParts): LedgerEntry[] {
  const byVendor = new Map<number, { total: Cents; commission: Cents }>();
  for (const { vendorId, quantity, unitCents, commissionPpm } of parts.lines) {
    const total = timesCents(unitCents, quantity);
    const before = byVendor.get(vendorId) ?? { total: cents(0), commission: cents(0) };
    byVendor.set(vendorId, {
      total: addCents(before.total, total),
      commission: addCents(before.commission, partOf(total, commissionPpm)),
    });
  }
  const vendors = [...byVendor].map(([vendorId, { total, commission }]) =>
    entry("vendor", subtractCents(total, commission), { vendorId }),
  );
  const commission = addCents(...[...byVendor.values()].map((share) => share.commission));
  const gets = [
    ...vendors,
    entry("commission", commission),
    entry("tips", parts.tipCents),
    entry("tax", parts.taxCents),
    entry("card_fees", parts.cardFeeCents),
    entry("delivery_fees", parts.deliveryFeeCents),
    entry("discounts", cents(-parts.discountCents)),
    entry("write_offs", cents(-parts.waivedCents)),
  ];
  const owed = addCents(...gets.map(({ amountCents }) => amountCents));
  return moving([entry("shopper", cents(-owed), { customerId: parts.customerId }), ...gets]);
}

/** What leads from one list of entries to another, account by account: the booking of a change. */
export function subtractEntries(after: readonly LedgerEntry[], before: readonly LedgerEntry[]): LedgerEntry[] {
  const sums = new Map<string, LedgerEntry>();
  const add = (list: readonly LedgerEntry[], sign: 1 | -1) => {
    for (const one of list) {
      const key = `${one.account} ${one.customerId ?? ""} ${one.vendorId ?? ""}`;
      const so = sums.get(key) ?? { ...one, amountCents: cents(0) };
      sums.set(key, { ...so, amountCents: cents(so.amountCents + sign * one.amountCents) });
    }
  };
  add(after, 1);
  add(before, -1);
  return moving([...sums.values()]);
}

/** Store credit pays a part of what a shopper owes. */
export function creditEntries(customerId: number | null, amountCents: Cents): LedgerEntry[] {
  return moving([
    entry("store_credit", cents(-amountCents), { customerId }),
    entry("shopper", amountCents, { customerId }),
  ]);
}

/** Money from a card for something that is no order: what was bought stands on its own account. */
export function purchaseEntries(account: "gift_cards" | "wagon_passes", amountCents: Cents): LedgerEntry[] {
  return moving([entry("provider", cents(-amountCents)), entry(account, amountCents)]);
}

/** A gift card becomes its finder's store credit. */
export function redemptionEntries(customerId: number, amountCents: Cents): LedgerEntry[] {
  return moving([entry("gift_cards", cents(-amountCents)), entry("store_credit", amountCents, { customerId })]);
}

/** A charge was taken: what the shopper owed is settled by the provider. */
export function captureEntries(customerId: number, amountCents: Cents): LedgerEntry[] {
  return moving([entry("provider", cents(-amountCents)), entry("shopper", amountCents, { customerId })]);
}

/** What a shopper owes and will not pay becomes the market's loss. Below zero: it was paid after all. */
export function writeOffEntries(customerId: number | null, amountCents: Cents): LedgerEntry[] {
  return moving([entry("write_offs", cents(-amountCents)), entry("shopper", amountCents, { customerId })]);
}

/** The market gives a referrer store credit. */
export function referralEntries(customerId: number, amountCents: Cents): LedgerEntry[] {
  return moving([entry("promotions", cents(-amountCents)), entry("store_credit", amountCents, { customerId })]);
}

/** An operator grants something: store credit to a customer, or a gift card. */
export function grantEntries(to: { customerId: number } | "gift_cards", amountCents: Cents): LedgerEntry[] {
  const gets = to === "gift_cards" ? entry("gift_cards", amountCents) : entry("store_credit", amountCents, to);
  return moving([entry("promotions", cents(-amountCents)), gets]);
}

/** Vendors are paid what they have: it leaves for their banks. Below zero: a payout that did not arrive comes back. */
export function payoutEntries(payouts: readonly { vendorId: number; amountCents: Cents }[]): LedgerEntry[] {
  return moving(
    payouts.flatMap(({ vendorId, amountCents }) => [
      entry("vendor", cents(-amountCents), { vendorId }),
      entry("payouts", amountCents, { vendorId }),
    ]),
  );
}

/** Where money given back goes: to the card it came from, or into the shopper's store credit. */
export type RefundDestination = "card" | "credit";

/**
 * Distributes money that went back outside of the market over the orders of its charge: to each what it has left to be given
 * back, in order, and what is more to the first. A charge without orders: one part without an order.
 */
export function allocateReturn(
  amountCents: Cents,
  orders: readonly { id: number; leftCents: Cents }[],
): { orderId: number | null; amountCents: Cents }[] {
  let rest = amountCents;
  const parts = orders.map(({ id, leftCents }): { orderId: number | null; amountCents: Cents } => {
    const part = minCents(rest, leftCents);
    rest = subtractCents(rest, part);
    return { orderId: id, amountCents: part };
  });
  const [first] = parts;
  if (first) first.amountCents = addCents(first.amountCents, rest);
  else parts.push({ orderId: null, amountCents: rest });
  return parts.filter((part) => part.amountCents > 0);
}

/**
 * Money given back. What the sale was lowered by (`owedCents`) is the shopper's already; what goes beyond it is a kindness
 * the market bears, and what of it was given back before is taken off there.
 */
export function refundEntries(
  customerId: number | null,
  destination: RefundDestination,
  amounts: { backCents: Cents; owedCents: Cents },
): LedgerEntry[] {
  const { backCents, owedCents } = amounts;
  return moving([
    entry("shopper", cents(-owedCents), { customerId }),
    entry("refunds", cents(owedCents - backCents)),
    destination === "card" ? entry("provider", backCents) : entry("store_credit", backCents, { customerId }),
  ]);
}

/** Who bears what units that did not come, or a refund, cost. */
export type Bearer = "market" | "vendor";

/**
 * The market bears what a vendor lost by a change of a sale: the vendor keeps the share. Below zero: the vendor bears what the
 * market gave back. Cents by vendor.
 */
export function compensationEntries(vendors: readonly { vendorId: number; amountCents: Cents }[]): LedgerEntry[] {
  const total = addCents(...vendors.map(({ amountCents }) => amountCents));
  return moving([
    ...vendors.map(({ vendorId, amountCents }) => entry("vendor", amountCents, { vendorId })),
    entry("refunds", cents(-total)),
  ]);
}

/** The money of an order that is lowered, cents. */
export interface LoweredMoney {
  /** What was paid for the order as it was: its total once the charge was captured, before that its store credit. */
  paidCents: Cents;
  /** Goodwill given for the order so far, to the card or as store credit. */
  goodwillCents: Cents;
  /** What the order's store credit and its captured charge are lowered by. */
  creditLoweredCents: Cents;
  chargeLoweredCents: Cents;
  /** What the card has left to be refunded; not limited when the money goes into store credit. */
  cardLeftCents: Cents | null;
}

/**
 * What lowering an order returns. All that is ever returned for an order, goodwill included, is at most what was paid for it:
 * store credit comes back first, then the charge, and what the card has no more left of comes back as store credit.
 */
export function splitReturn(money: LoweredMoney): {
  /** Store credit that was used and comes back. */
  creditCents: Cents;
  /** Of the charge, to where the money goes. */
  chargeCents: Cents;
  /** Of the charge, as store credit, because the card has nothing left. */
  insteadCents: Cents;
  /** Lowered and not returned: it was returned as goodwill before. */
  goodwillCents: Cents;
} {
  const lowered = addCents(money.creditLoweredCents, money.chargeLoweredCents);
  const returned = minCents(lowered, cents(Math.max(0, money.paidCents - money.goodwillCents)));
  const creditCents = minCents(money.creditLoweredCents, returned);
  const rest = subtractCents(returned, creditCents);
  const chargeCents = money.cardLeftCents === null ? rest : minCents(rest, money.cardLeftCents);
  return {
    creditCents,
    chargeCents,
    insteadCents: subtractCents(rest, chargeCents),
    goodwillCents: subtractCents(lowered, returned),
  };
}
