import { type Conn, execute, query, sql } from "@marketday/db";
import { AUTO_CHECKOUT } from "@marketday/domain/subscription";
import { z } from "zod";

const DayBox = z.object({
  /** The box's number. */
  orderId: z.number(),
  /** Its orders to deliver, the first one first. */
  orderIds: z.array(z.number()),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});
/** A box that is to be delivered, and how to reach its customer. */
export type DayBox = z.infer<typeof DayBox>;

const Delivered = z.object({ delivered: z.number() });

const Waiting = z.object({
  customerId: z.number(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});
/** A customer whose automatic order for a day was still to come. */
export type WaitingCustomer = z.infer<typeof Waiting>;

/** The template of the email that a customer's automatic order for a day does not come; its key adds the delivery and the customer. */
export const NO_AUTO_ORDER = "auto-checkout-off";

/**
 * The customers whose automatic order for a delivery was still to come at `now`, by id: its cycle is open and their cart has something
 * to order, but they have no order for the day, did not skip it, and were not emailed that it is closed.
 */
export const findWaitingCustomers = (tx: Conn, deliveryId: number, now: Date): Promise<WaitingCustomer[]> =>
  query(
    tx,
    sql`select c.id as "customerId", trim(concat_ws(' ', c.first_name, c.last_name)) as name, c.email, c.phone
        from delivery d join customer c on c.hub_id = d.hub_id and c.auto_checkout_status > 0 and c.deleted_at is null
        where d.id = ${deliveryId}::int and d.cutoff_at > ${now}
          and exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'open')
          and (not exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'auto_checkout')
            or exists (select 1 from auto_checkout_result a where a.delivery_id = d.id and a.customer_id = c.id and a.done_at is null))
          and exists (select 1 from cart k join cart_item i on i.cart_id = k.id
            where k.customer_id = c.id and (c.auto_checkout_status = ${AUTO_CHECKOUT.fullCart}::int or i.subscription_interval is not null))
          and not exists (select 1 from subscription_skip k where k.customer_id = c.id and k.delivery_id = d.id)
          and not exists (select 1 from orders o where o.customer_id = c.id and o.delivery_id = d.id and o.status <> 'cancelled')
          and not exists (select 1 from mail m where m.key = ${NO_AUTO_ORDER} || ':' || d.id || ':' || c.id)
        order by c.id`,
    Waiting,
  );

/** Ends the automatic checkouts of a closed delivery that are not done: nothing is ordered for it. */
export const endAutoCheckouts = (tx: Conn, deliveryId: number, now: Date): Promise<number> =>
  execute(
    tx,
    sql`update auto_checkout_result set outcome = 'skipped', error = null, done_at = ${now} where delivery_id = ${deliveryId}::int and done_at is null`,
  );

/** The boxes of a delivery that are to be delivered, by number, and how many of its orders are delivered already. */
export async function findBoxesOfDay(db: Conn, deliveryId: number): Promise<{ boxes: DayBox[]; delivered: number }> {
  const boxes = await query(
    db,
    sql`select box.id as "orderId", box.ids as "orderIds", trim(concat_ws(' ', c.first_name, c.last_name)) as name, c.email, c.phone
        from (select coalesce(o.add_on_to_id, o.id) as id, array_agg(o.id order by o.add_on_to_id nulls first, o.created_at, o.id) as ids, min(o.customer_id) as customer_id
          from orders o where o.delivery_id = ${deliveryId}::int and o.status in ('future', 'open', 'pending') group by 1) box
        left join customer c on c.id = box.customer_id order by box.id`,
    DayBox,
  );
  const [row] = await query(
    db,
    sql`select count(*)::int as delivered from orders where delivery_id = ${deliveryId}::int and status = 'closed'`,
    Delivered,
  );
  return { boxes, delivered: row!.delivered };
}
