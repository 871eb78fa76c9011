import type { Client, Tx } from "@marketday/db";

/** A box that is to be delivered, and how to reach its customer. */
export interface DayBox {
  /** The box's number. */
  orderId: number;
  /** Its orders to deliver, the first one first. */
  orderIds: number[];
  name: string;
  email: string | null;
  phone: string | null;
}

/** The template of the email that a customer's automatic order for a day does not come; its key adds the delivery and the customer. */
export const NO_AUTO_ORDER = "auto-checkout-off";

/** Ends the automatic checkouts of a closed delivery that are not done: nothing is ordered for it. */
export const endAutoCheckouts = (tx: Tx, deliveryId: number, now: Date) =>
  tx.auto_checkout_result.updateMany({
    where: { delivery_id: deliveryId, done_at: null },
    data: { outcome: "skipped", error: null, done_at: now },
  });

/** The boxes of a delivery that are to be delivered, by number. */
export async function findBoxesOfDay(db: Client, deliveryId: number): Promise<DayBox[]> {
  const orders = await db.order.findMany({
    where: { delivery_id: deliveryId, status: { in: ["future", "open", "pending"] } },
    select: {
      id: true,
      add_on_to_id: true,
      customer: { select: { first_name: true, last_name: true, email: true, phone: true } },
    },
    orderBy: [{ add_on_to_id: { sort: "asc", nulls: "first" } }, { created_at: "asc" }, { id: "asc" }],
  });
  return [...Map.groupBy(orders, ({ id, add_on_to_id: boxId }) => boxId ?? id)]
    .toSorted(([a], [b]) => a - b)
    .map(([orderId, box]) => {
      const customer = box.find((order) => order.customer)?.customer;
      return {
        orderId,
        orderIds: box.map(({ id }) => id),
        name: customer ? `${customer.first_name} ${customer.last_name}`.trim() : "",
        email: customer?.email ?? null,
        phone: customer?.phone ?? null,
      };
    });
}

/** The number of a delivery's orders that are delivered already. */
export const countDelivered = (db: Client, deliveryId: number): Promise<number> =>
  db.order.count({ where: { delivery_id: deliveryId, status: "closed" } });
