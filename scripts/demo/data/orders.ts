import { addDays, type CalendarDate, calendarDate } from "@marketday/domain/calendar-date";
import { deliveryDayOf } from "@marketday/domain/delivery";
import { Day, Hour } from "@marketday/domain/time";

import { basket, type Sellable, sellables, shelf } from "./baskets.ts";
import { type HubPlan, hubPlans } from "./hubs.ts";
import { type Desk, emptyBook, openDesk, type OrderBook, type Placing } from "./order-book.ts";
import { newId, plainId, regularId } from "./people.ts";
import type { ProductPlan } from "./products.ts";
import { chance } from "./random.ts";
import type { CustomerRow, DeliveryRow, OfferRow, VariantRow } from "./rows.ts";

export interface OrdersInput extends Omit<Desk, "seed"> {
  plans: readonly ProductPlan[];
  variants: readonly VariantRow[];
  offers: readonly OfferRow[];
  customers: readonly CustomerRow[];
  /** Past days first and the days to come, of all hubs. */
  deliveries: readonly DeliveryRow[];
  monday: CalendarDate;
  anchor: Date;
}

type Place = (placing: Placing) => void;
/** Whole seconds, as a clock on a receipt has them. */
const second = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);

/**
 * The orders of one delivery, made between the cutoff before it and the beginning of the running week, or its own cutoff.
 */
function fillDelivery(
  input: OrdersInput,
  of: readonly Sellable[],
  hub: HubPlan,
  delivery: DeliveryRow,
  place: Place,
): void {
  const { customers, monday, anchor } = input;
  const from = deliveryDayOf(addDays(calendarDate(delivery.day), -7), hub.zone).cutoff;
  const until = Math.min(new Date(delivery.cutoff_at).getTime(), anchor.getTime());
  const span = Math.max(0, until - from.getTime() - Hour.ms);
  const luck = chance(`day ${hub.slug} ${delivery.day}`);
  const isPast = delivery.day < monday;
  const here = customers.filter(
    (one) => one.hub_id === hub.id && one.id !== newId && one.created_at < from.toISOString(),
  );
  // The running week is not over yet.
  const wanted = isPast ? luck.int(19, 28) : luck.int(7, 11);
  const mine = here.filter((one) => one.id === regularId || (one.id === plainId && isPast && luck.odds(0.45)));
  const others = here.filter((one) => one.id > newId);
  for (const customer of [...mine, ...luck.sample(others, wanted)]) {
    const at = second(from.getTime() + Hour.ms / 2 + luck.next() * span);
    const lines = basket(luck, shelf(of, at), luck.int(3, customer.id <= newId ? 11 : 9));
    place({ customer, delivery, at, lines, luck });
  }
}

/** A few pre-orders of a hub, each for its first day on or after the date of what is ordered. */
function fillAhead(input: OrdersInput, of: readonly Sellable[], hub: HubPlan, place: Place): void {
  const { customers, deliveries, monday, anchor } = input;
  const luck = chance(`ahead ${hub.slug} ${monday}`);
  const ahead = of.filter(({ plan, variant }) => plan.preOrderDate !== null && variant.position === 0);
  const here = customers.filter((one) => one.hub_id === hub.id);
  const others = here.filter((one) => one.id > newId);
  for (const customer of [...here.filter((one) => one.id === regularId), ...luck.sample(others, 5)]) {
    if (ahead.length === 0) return;
    const one = luck.pick(ahead);
    const first = [one.plan.preOrderDate ?? "", addDays(monday, 7)].toSorted().at(-1) ?? "";
    const delivery = deliveries.find((day) => day.hub_id === hub.id && day.day >= first);
    const listed = Math.max(new Date(one.offer.published_at).getTime(), anchor.getTime() - 6 * Day.ms);
    const at = second(listed + luck.next() * (anchor.getTime() - listed) + 999);
    if (delivery) place({ customer, delivery, at, lines: [{ of: one, quantity: 1 }], luck });
  }
}

/** The orders of 12 past weeks and of the running one, and what was ordered ahead. */
export function buildOrders(input: OrdersInput): OrderBook {
  const book = emptyBook();
  const place = openDesk(book, { ...input, seed: `orders ${input.monday}` });
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
