import { addDays, type CalendarDate, calendarDate } from "@marketday/domain/calendar-date";
import { deliveryDayOf } from "@marketday/domain/delivery";
import { Day, Hour } from "@marketday/domain/time";

import { pickLines, type Sellable, sellables, orderable } from "./baskets.ts";
import { type HubPlan, hubPlans } from "./hubs.ts";
import { type OrderContext, emptyBook, createOrderWriter, type OrderBook, type OrderRequest } from "./order-book.ts";
import { newId, plainId, regularId } from "./people.ts";
import type { ProductPlan } from "./products.ts";
import { chance } from "./random.ts";
import type { CustomerRow, DeliveryRow, OfferRow, VariantRow } from "./rows.ts";

export interface OrdersInput extends Omit<OrderContext, "seed"> {
  plans: readonly ProductPlan[];
  variants: readonly VariantRow[];
  offers: readonly OfferRow[];
  customers: readonly CustomerRow[];
  /** Delivery days of all hubs, past days first. */
  deliveries: readonly DeliveryRow[];
  monday: CalendarDate;
  anchor: Date;
}

type PlaceOrder = (request: OrderRequest) => void;
/** An instant in whole seconds. */
const wholeSecond = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);

/** Adds the orders of a delivery, placed between the previous cutoff and its cutoff or the start of the current week. */
function fillDelivery(
  input: OrdersInput,
  of: readonly Sellable[],
  hub: HubPlan,
  delivery: DeliveryRow,
  place: PlaceOrder,
): void {
  const { customers, monday, anchor } = input;
  const from = deliveryDayOf(addDays(calendarDate(delivery.day), -7), hub.zone).cutoff;
  const until = Math.min(new Date(delivery.cutoff_at).getTime(), anchor.getTime());
  const span = Math.max(0, until - from.getTime() - Hour.ms);
  const luck = chance(`day ${hub.slug} ${delivery.day}`);
  const isPast = delivery.day < monday;
  const eligible = customers.filter(
    (customer) => customer.hub_id === hub.id && customer.id !== newId && customer.created_at < from.toISOString(),
  );
  // The current week is not over yet.
  const count = isPast ? luck.int(19, 28) : luck.int(7, 11);
  const demoShoppers = eligible.filter(({ id }) => id === regularId || (id === plainId && isPast && luck.odds(0.45)));
  const others = eligible.filter(({ id }) => id > newId);
  for (const customer of [...demoShoppers, ...luck.sample(others, count)]) {
    const at = wholeSecond(from.getTime() + Hour.ms / 2 + luck.next() * span);
    const lines = pickLines(luck, orderable(of, at), luck.int(3, customer.id <= newId ? 11 : 9));
    place({ customer, delivery, at, lines, luck });
  }
}

/** Adds a few pre-orders of a hub, each for the first delivery day on or after the date of its product. */
function fillAhead(input: OrdersInput, of: readonly Sellable[], hub: HubPlan, place: PlaceOrder): void {
  const { customers, deliveries, monday, anchor } = input;
  const luck = chance(`ahead ${hub.slug} ${monday}`);
  const ahead = of.filter(({ plan, variant }) => plan.preOrderDate !== null && variant.position === 0);
  const ofHub = customers.filter((customer) => customer.hub_id === hub.id);
  const others = ofHub.filter(({ id }) => id > newId);
  for (const customer of [...ofHub.filter(({ id }) => id === regularId), ...luck.sample(others, 5)]) {
    if (ahead.length === 0) return;
    const sellable = luck.pick(ahead);
    const first = [sellable.plan.preOrderDate ?? "", addDays(monday, 7)].toSorted().at(-1) ?? "";
    const delivery = deliveries.find((day) => day.hub_id === hub.id && day.day >= first);
    const listed = Math.max(new Date(sellable.offer.published_at).getTime(), anchor.getTime() - 6 * Day.ms);
    const at = wholeSecond(listed + luck.next() * (anchor.getTime() - listed) + 999);
    if (delivery) place({ customer, delivery, at, lines: [{ of: sellable, quantity: 1 }], luck });
  }
}

/** The orders of the past 12 weeks and of the current one, and pre-orders. */
export function buildOrders(input: OrdersInput): OrderBook {
  const book = emptyBook();
  const place = createOrderWriter(book, { ...input, seed: `orders ${input.monday}` });
  const byHub = sellables(input.plans, input.variants, input.offers);
  for (const hub of hubPlans) {
    const of = byHub.get(hub.id) ?? [];
    for (const delivery of input.deliveries) {
      if (delivery.hub_id !== hub.id || delivery.day >= addDays(input.monday, 7)) continue;
      fillDelivery(input, of, hub, delivery, place);
    }
    fillAhead(input, of, hub, place);
  }
  book.orders.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  return book;
}
