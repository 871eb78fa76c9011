import { type AnyTx, query, sql } from "@marketday/db";
import { AUTO_CHECKOUT } from "@marketday/domain/subscription";
import { z } from "zod";

import { NO_AUTO_ORDER } from "./day-box-store.ts";

const Waiting = z.object({
  customerId: z.number(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});
/** A customer whose automatic order for a day was still to come. */
export type WaitingCustomer = z.infer<typeof Waiting>;

/**
 * The customers whose automatic order for a delivery was still to come at `now`, by id: its cycle is open and their cart has something
 * to order, but they have no order for the day, did not skip it, and were not emailed that it is closed.
 */
export const findWaitingCustomers = (tx: AnyTx, deliveryId: number, now: Date): Promise<WaitingCustomer[]> =>
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
