import type { Order, OrderItem } from "@marketday/contracts/orders";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { addDollars } from "@marketday/domain/money";
import { formatTimeLeft } from "@marketday/domain/order";
import { explainOrder, formatArrives, orderGroup } from "@marketday/domain/order-state";
import { formatMoney } from "@marketday/ui/money.ts";

/** What an order's place in the list depends on. */
type Dated = Pick<Order, "id" | "status" | "deliveryDate">;
export interface OrderGroup<O> {
  title: "Open orders" | "Future orders" | "Completed orders";
  orders: O[];
}

const bySoonest = (a: Dated, b: Dated) => a.deliveryDate.localeCompare(b.deliveryDate) || b.id - a.id;

/** The list's headings (spec §2.4 Orders list), each with its orders: what comes next first, of the completed the latest. */
export function groupOrders<O extends Dated>(orders: readonly O[]): OrderGroup<O>[] {
  const of = (group: ReturnType<typeof orderGroup>) => orders.filter(({ status }) => orderGroup(status) === group);
  const groups: OrderGroup<O>[] = [
    { title: "Open orders", orders: of("open").toSorted(bySoonest) },
    { title: "Future orders", orders: of("future").toSorted(bySoonest) },
    { title: "Completed orders", orders: of("completed").toSorted((a, b) => bySoonest(b, a)) },
  ];
  return groups.filter((group) => group.orders.length > 0);
}

/** "2 days left to add" while an open order can be added to (spec §2.4); else null. */
export const formatAddOn = ({ status, cutoff, timeZone }: Order, now: Date): string | null =>
  status === "open" ? formatTimeLeft(now, new Date(cutoff), timeZone) : null;

/** "Added on Monday, November 23", for an add-on of a box; null for its first order. */
export function formatAdded(
  { addOnOrders, timeZone }: Pick<Order, "addOnOrders" | "timeZone">,
  id: number,
  now: Date,
): string | null {
  const addOn = addOnOrders.find((one) => one.id === id);
  return addOn
    ? `Added on ${formatLong(dateInZone(new Date(addOn.created), timeZone), dateInZone(now, timeZone))}`
    : null;
}

/** "Arrives Thursday, November 26"; what came or was picked up says so. */
export function formatDay(
  { status, type, deliveryDate, timeZone }: Pick<Order, "status" | "type" | "deliveryDate" | "timeZone">,
  now: Date,
): string {
  const today = dateInZone(now, timeZone);
  const date = calendarDate(deliveryDate);
  if (status === "cancelled") return `Was scheduled for ${formatLong(date, today)}`;
  if (status === "closed") return `${type === "pickup" ? "Picked up" : "Delivered"} ${formatLong(date, today)}`;
  return type === "pickup" ? `Ready ${formatLong(date, today)}` : formatArrives(date, today);
}

/** What its state means, in sentences below the word (docs/product.md §8 "States in words"). */
export function explain(order: Order, now: Date): string[] {
  const money = (amount: number) => (amount > 0 ? formatMoney(amount) : null);
  const { paymentProblem = null, packed = "all", isPaidAtDoor = false, missing = [] } = order;
  const { done, underway, byHand, failed } = order.refunds ?? { done: 0, underway: 0, byHand: 0, failed: 0 };
  return explainOrder(
    {
      ...order,
      paymentProblem,
      packed,
      isPaidAtDoor,
      missing,
      cutoff: new Date(order.cutoff),
      pickupPoint: order.pickupAddress?.name ?? null,
      refunds: { done: money(done), underway: money(underway), byHand: money(byHand), failed: money(failed) },
      waived: money(addDollars(order.waived, ...order.addOnOrders.map(({ waived }) => waived))),
    },
    now,
  );
}

/** Why a line cannot be ordered again (spec §4 Order status); null: it can. */
export function whyNotAgain({ isPublished, product }: OrderItem): "Unavailable" | "Out of stock" | null {
  if (!isPublished) return "Unavailable";
  return product.variant.inventory > 0 ? null : "Out of stock";
}

/** "3 items", without watching for what they are. */
export const formatItemCount = (items: readonly Pick<OrderItem, "quantity">[]): string => {
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0);
  return `${count} item${count === 1 ? "" : "s"}`;
};
