import { dateInZone } from "@marketday/domain/calendar-date";
import { creditEntries, type LedgerEntry, saleEntries } from "@marketday/domain/ledger";
import { DELIVERY_FEE_DEFAULT } from "@marketday/domain/limits";
import { type Cents, cents, minCents, partOf, zeroCents } from "@marketday/domain/money";
import { type Price, priceOrder } from "@marketday/domain/pricing";
import { addMs, Hour, Minute } from "@marketday/domain/time";

import type { Wanted } from "./baskets.ts";
import { type HubPlan, hubPlans } from "./hubs.ts";
import { plainId, regularId } from "./people.ts";
import { chance, type Chance, hexOf } from "./random.ts";
import type { AddressRow, CustomerRow, DeliveryRow, LooseRow, OrderItemRow, OrderRow, PickupRow } from "./rows.ts";

/** A discount code that orders may use, each customer once. */
interface Code {
  id: number;
  percentPpm: number | null;
  amountCents: Cents | null;
  minimumCents: number;
}

/** The rows that orders create. */
export interface OrderBook {
  orders: OrderRow[];
  items: OrderItemRow[];
  payments: LooseRow[];
  charges: LooseRow[];
  transactions: LooseRow[];
  entries: LooseRow[];
  mails: LooseRow[];
  discountUses: LooseRow[];
  /** Units sold by offer. */
  sold: Map<number, number>;
}

/** An order to add to the book. */
export interface OrderRequest {
  customer: CustomerRow;
  delivery: DeliveryRow;
  at: Date;
  lines: readonly Wanted[];
  luck: Chance;
}

/** The data that all orders share. */
export interface OrderContext {
  seed: string;
  addresses: readonly AddressRow[];
  pickups: readonly PickupRow[];
  codes: readonly Code[];
  now: Date;
}

/** A uuid derived from a text. */
function uuidOf(text: string): string {
  const hex = hexOf(`uuid ${text}`, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const unitOf = ({ of }: Wanted): Cents => cents(of.offer.sale_price_cents ?? of.offer.price_cents);

/** An empty book. */
export const emptyBook = (): OrderBook => ({
  orders: [],
  items: [],
  payments: [],
  charges: [],
  transactions: [],
  entries: [],
  mails: [],
  discountUses: [],
  sold: new Map(),
});

/** Adds a ledger transaction, unless it has no entries. */
export function addTransaction(book: OrderBook, transaction: LooseRow, entries: readonly LedgerEntry[]): void {
  if (entries.length === 0) return;
  const id = book.transactions.length + 1;
  book.transactions.push({ id, order_id: null, payment_id: null, note: "", ...transaction });
  for (const { account, customerId, vendorId, amountCents } of entries) {
    book.entries.push({
      transaction_id: id,
      account,
      customer_id: customerId,
      vendor_id: vendorId,
      amount_cents: amountCents,
    });
  }
}

function addPayment(
  book: OrderBook,
  order: OrderRow,
  price: Price,
  lines: readonly Wanted[],
  request: OrderRequest,
): void {
  const { customer, delivery } = request;
  const captured = order.status === "pending" || order.status === "closed";
  const state = captured ? "captured" : "authorized";
  const ref = `tch_${hexOf(`charge ${order.id}`, 24)}`;
  const amount = { amount_cents: price.amountDueCents, captured_cents: captured ? price.amountDueCents : 0 };
  const isMaster = customer.id === plainId;
  book.payments.push({
    id: order.payment_id,
    customer_id: customer.id,
    provider: "test",
    provider_ref: ref,
    charge_key: order.payment_id,
    state,
    ...amount,
    payment_method_id: customer.id === regularId || customer.id === plainId ? customer.id : null,
    authorized_at: order.created_at,
    created_at: order.created_at,
  });
  book.charges.push({
    id: ref,
    idempotency_key: order.payment_id,
    state,
    ...amount,
    card_last4: isMaster ? "4444" : "4242",
    card_brand: isMaster ? "mastercard" : "visa",
    created_at: order.created_at,
  });
  const sale = saleEntries({
    customerId: customer.id,
    lines: lines.map((line) => ({
      vendorId: line.of.plan.vendor.id,
      quantity: line.quantity,
      unitCents: unitOf(line),
      commissionPpm: hubOf(delivery).commissionPpm,
    })),
    tipCents: price.tipCents,
    taxCents: price.taxCents,
    cardFeeCents: price.cardFeeCents,
    deliveryFeeCents: price.deliveryFeeCents,
    discountCents: price.discountCents,
    waivedCents: price.waivedCents,
  });
  addTransaction(book, { kind: "sale", order_id: order.id, created_at: order.created_at }, sale);
  const credit = creditEntries(customer.id, price.creditUsedCents);
  addTransaction(book, { kind: "credit", order_id: order.id, created_at: order.created_at }, credit);
  if (!captured) return;
  const capture = { kind: "capture", order_id: order.id, payment_id: order.payment_id, created_at: delivery.cutoff_at };
  addTransaction(book, capture, [
    { account: "provider", customerId: null, vendorId: null, amountCents: cents(-price.amountDueCents) },
    { account: "shopper", customerId: customer.id, vendorId: null, amountCents: price.amountDueCents },
  ]);
}

function hubOf(delivery: DeliveryRow): HubPlan {
  const hub = hubPlans.find(({ id }) => id === delivery.hub_id);
  if (!hub) throw new Error(`No hub ${delivery.hub_id}`);
  return hub;
}

/** @returns a function that adds an order to the book, priced with `priceOrder` */
export function createOrderWriter(book: OrderBook, context: OrderContext): (request: OrderRequest) => void {
  const { addresses, pickups, codes, now } = context;
  const ids = chance(context.seed);
  const usedIds = new Set<number>();
  const usedCodes = new Set<string>();
  const addressOf = new Map(addresses.map((address) => [address.customer_id, address]));

  const newId = (): number => {
    let id = ids.int(100_000_000, 999_999_999);
    while (usedIds.has(id)) id = ids.int(100_000_000, 999_999_999);
    usedIds.add(id);
    return id;
  };

  const statusOf = ({ delivery, lines }: OrderRequest): OrderRow["status"] => {
    if (lines.some(({ of }) => of.plan.preOrderDate !== null)) return "future";
    if (now < new Date(delivery.cutoff_at)) return "open";
    return dateInZone(now, hubOf(delivery).zone) > delivery.day ? "closed" : "pending";
  };

  /** A discount code for one in twenty orders, if the code applies. */
  const codeFor = (customer: CustomerRow, itemsCents: Cents, luck: Chance): { code: Code; off: Cents } | null => {
    const code = luck.odds(0.05) ? luck.pick(codes) : null;
    if (code === null || itemsCents < code.minimumCents || usedCodes.has(`${code.id} ${customer.id}`)) return null;
    usedCodes.add(`${code.id} ${customer.id}`);
    const off = code.percentPpm === null ? (code.amountCents ?? zeroCents) : partOf(itemsCents, code.percentPpm);
    return { code, off: minCents(off, itemsCents) };
  };

  return (request) => {
    const { customer, delivery, at, lines, luck } = request;
    if (lines.length === 0) return;
    const hub = hubOf(delivery);
    const priced = lines.map((line) => ({ quantity: line.quantity, unitCents: unitOf(line) }));
    const itemsCents = cents(priced.reduce((sum, line) => sum + line.quantity * line.unitCents, 0));
    const used = codeFor(customer, itemsCents, luck);
    const points = pickups.filter((point) => point.hub_id === hub.id);
    const pickup = customer.id !== regularId && luck.odds(0.22) ? luck.pick(points) : null;
    const hasPass = customer.id === regularId || customer.id % 17 === 0;
    const tip = luck.odds(0.8) ? customer.default_tip : luck.pick([0, 5, 10] as const);
    const price = priceOrder({
      lines: priced,
      tipPercentage: tip,
      taxRatePpm: hub.taxPpm,
      processing: { ppm: hub.processingPpm, fixedCents: cents(hub.processingFixedCents) },
      deliveryFeeCents: pickup || hasPass ? zeroCents : cents(hub.feeCents ?? DELIVERY_FEE_DEFAULT),
      discountCents: used?.off ?? zeroCents,
      creditCents: zeroCents,
      leastDueCents: zeroCents,
    });

    const id = newId();
    const status = statusOf(request);
    const home = addressOf.get(customer.id);
    // Hours after the cutoff. Computed for every order, so that the sequence of random numbers does not depend on `now`.
    const deliveredAt = addMs(new Date(delivery.cutoff_at), 38 * Hour.ms + luck.int(0, 200) * Minute.ms);
    const order: OrderRow = {
      id,
      customer_id: customer.id,
      hub_id: hub.id,
      delivery_id: delivery.id,
      status,
      type: pickup ? "pickup" : "delivery",
      source: "checkout",
      pickup_point_id: pickup?.id ?? null,
      address:
        pickup || !home
          ? null
          : {
              address: home.address,
              address2: "",
              city: home.city,
              state: home.state,
              zipCode: home.zip_code,
              instructions: home.instructions,
            },
      delivery_notes: pickup ? "" : (home?.instructions ?? ""),
      tip_percentage: tip,
      items_cents: price.itemsCents,
      tip_cents: price.tipCents,
      tax_cents: price.taxCents,
      tax_rate_ppm: hub.taxPpm,
      card_fee_cents: price.cardFeeCents,
      delivery_fee_cents: price.deliveryFeeCents,
      discount_cents: price.discountCents,
      order_total_cents: price.orderTotalCents,
      credit_cents: price.creditUsedCents,
      payment_id: uuidOf(`payment ${id}`),
      created_at: at.toISOString(),
      closed_at: status === "closed" ? deliveredAt.toISOString() : null,
    };
    book.orders.push(order);
    lines.forEach(({ of, quantity }, place) => {
      const share = price.lineShares[place];
      book.items.push({
        id: book.items.length + 1,
        order_id: id,
        variant_id: of.variant.id,
        vendor_id: of.plan.vendor.id,
        product_title: of.plan.line.title,
        variant_title: of.variant.title,
        quantity,
        quantity_ordered: quantity,
        list_price_cents: of.offer.price_cents,
        sale_price_cents: of.offer.sale_price_cents,
        unit_price_cents: of.offer.sale_price_cents ?? of.offer.price_cents,
        discount_cents: share?.discountCents ?? 0,
        tax_cents: share?.taxCents ?? 0,
        commission_ppm: hub.commissionPpm,
      });
      book.sold.set(of.offer.id, (book.sold.get(of.offer.id) ?? 0) + quantity);
    });
    addPayment(book, order, price, lines, request);
    book.mails.push({
      key: `order-confirmation:${id}`,
      template: "order-confirmation",
      to_email: customer.email,
      data: { orderId: id },
      attempts: 1,
      created_at: order.created_at,
      sent_at: addMs(at, Minute.ms).toISOString(),
    });
    if (used) {
      book.discountUses.push({
        discount_code_id: used.code.id,
        customer_id: customer.id,
        order_id: id,
        once: true,
        created_at: order.created_at,
      });
    }
  };
}
