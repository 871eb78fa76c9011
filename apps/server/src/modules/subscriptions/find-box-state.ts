import type { Db, Prisma } from "@marketday/db";
import { dateInZone } from "@marketday/domain/calendar-date";

import type { CheckoutFacts } from "../checkout/checkout-facts-sql.ts";
import type { CustomerId } from "../identity/context.ts";
import type { Fulfillment } from "../profile/fulfillment-sql.ts";
import { findValidPasses, isValidOn } from "../wagon-pass/store.ts";

const shownOrder = {
  id: true,
  delivery_id: true,
  source: true,
  status: true,
  type: true,
  add_on_to_id: true,
  delivery_fee_cents: true,
  address: true,
  pickup_point_id: true,
  pickup_point: true,
} satisfies Prisma.orderSelect;

/** The customer's skips, orders and ended auto-checkouts of deliveries. */
export interface BoxState {
  skipped: number[];
  /** Deliveries for which this customer's auto-checkout is over. */
  over: number[];
  /** Future orders: they open with their cycle. */
  future: CheckoutFacts["open_orders"];
  /** Deliveries whose auto-checkout runs while the customer has a wagon pass. */
  passes: number[];
  /** The orders for these deliveries. */
  orders: {
    id: number;
    delivery_id: number;
    is_auto: boolean;
    delivery_fee_cents: number;
    pickup_point: Fulfillment["pickup_point"];
    address: Fulfillment["default_address"];
  }[];
}

/** The state of these deliveries for a customer. */
export async function findBoxState(
  db: Db,
  customerId: CustomerId,
  deliveryIds: readonly number[],
  now: Date,
): Promise<BoxState> {
  const own = { customer_id: customerId };
  const deliveries = await db.delivery.findMany({
    where: { id: { in: [...deliveryIds] } },
    select: {
      id: true,
      auto_checkout_at: true,
      hub: { select: { time_zone: true } },
      skips: { where: own, select: { customer_id: true } },
      runs: { where: { step: "auto_checkout" }, select: { step: true } },
      auto_checkout_results: { where: { ...own, done_at: null }, select: { customer_id: true } },
      orders: {
        where: { ...own, status: { not: "cancelled" } },
        select: shownOrder,
        orderBy: [{ created_at: "asc" }, { id: "asc" }],
      },
    },
  });
  const isOver = ({ runs, auto_checkout_results: undone, orders }: (typeof deliveries)[number]): boolean =>
    (runs.length > 0 && undone.length === 0) || orders.some(({ source }) => source === "auto");
  const passes = await findValidPasses(db, customerId);
  const hasPass = ({ auto_checkout_at: at, hub }: (typeof deliveries)[number]): boolean => {
    const day = dateInZone(at > now ? at : now, hub.time_zone);
    return passes.some((pass) => isValidOn(pass, day));
  };
  const idsOf = (rows: typeof deliveries) => rows.map(({ id }) => id);
  const orders = deliveries
    .flatMap((delivery) => delivery.orders)
    .map((order) => ({
      ...order,
      type: order.type as CheckoutFacts["open_orders"][number]["type"],
      is_auto: order.source === "auto",
      address: order.address as Fulfillment["default_address"],
    }));
  return {
    skipped: idsOf(deliveries.filter(({ skips }) => skips.length > 0)),
    over: idsOf(deliveries.filter(isOver)),
    future: orders.filter((order) => order.status === "future" && order.add_on_to_id === null),
    passes: idsOf(deliveries.filter(hasPass)),
    orders,
  };
}
