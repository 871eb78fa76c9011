import { type AnyTx, type Conn, execute, query, sql } from "@marketday/db";
import { z } from "zod";

import { takesOrders } from "../hubs/delivery-sql.ts";
import { enqueueJobs } from "../mail/mail-sql.ts";
import { DueDelivery, dueDeliveryColumns, isOpened, notDone } from "./day-sql.ts";

/** The scheduled reminders: before auto-checkout orders, and before orders close for a cart that is not ordered. */
export type ReminderStep = "remind_auto_checkout" | "remind_order_by";

const instantOf = (step: ReminderStep) =>
  step === "remind_auto_checkout" ? sql`d.auto_checkout_at` : sql`d.cutoff_at`;

/** Open deliveries of published hubs whose reminder is due and was not sent to all: from `leadMs` before the instant of the step until that instant. */
export const findDueReminders = (db: Conn, step: ReminderStep, now: Date, leadMs: number): Promise<DueDelivery[]> =>
  query(
    db,
    sql`select ${dueDeliveryColumns}
        from hub h join lateral (select * from delivery x where x.hub_id = h.id and ${takesOrders(sql`x`, now)} order by x.cutoff_at limit 1) d on true
        where h.is_published and ${instantOf(step)} > ${now} and ${instantOf(step)} <= ${new Date(now.getTime() + leadMs)}
          and ${isOpened(sql`d`)} and ${notDone(step)}
        order by d.cutoff_at, d.id`,
    DueDelivery,
  );

const recipientConditions = {
  // Customers with auto-checkout.
  remind_auto_checkout: sql`c.auto_checkout_status > 0`,
  // Customers without auto-checkout who have an available item in the cart and no order for the day.
  remind_order_by: sql`c.auto_checkout_status = 0 and exists (
      select 1 from cart k join cart_item ci on ci.cart_id = k.id join variant v on v.id = ci.variant_id
      join product p on p.id = v.product_id and p.is_published join vendor ve on ve.id = p.vendor_id and ve.is_published
      join offer o on o.variant_id = v.id and o.hub_id = d.hub_id and o.is_published and o.inventory > 0 where k.customer_id = c.id)
    and not exists (select 1 from orders o where o.customer_id = c.id and o.delivery_id = d.id and o.status <> 'cancelled')`,
};

/** Enqueues the reminder of those of the customers whom it concerns. Idempotent. */
export const insertReminders = (
  tx: AnyTx,
  step: ReminderStep,
  { deliveryId, template, customerIds }: { deliveryId: number; template: string; customerIds: readonly number[] },
  now: Date,
) =>
  execute(
    tx,
    sql`with written as (
          insert into mail (key, template, to_email, data, created_at)
          select ${template} || ':' || d.id || ':' || c.id, ${template}, c.email, jsonb_build_object('deliveryId', d.id, 'customerId', c.id), ${now}
          from delivery d join customer c on c.hub_id = d.hub_id
          where d.id = ${deliveryId}::int and c.id = any(${[...customerIds]}::int[])
            and c.deleted_at is null and c.email is not null and c.subscribed_all_messages and ${recipientConditions[step]}
            and not exists (select 1 from subscription_skip k where k.customer_id = c.id and k.delivery_id = d.id)
          on conflict (key) do nothing returning id, next_at), ${enqueueJobs(now)} select from notified`,
  );

/** Sold-out lines `ci` of carts whose item is in stock again at the customer's hub. */
const watchedInStock = sql`cart_item ci join cart k on k.id = ci.cart_id join customer c on c.id = k.customer_id and c.deleted_at is null
          join variant v on v.id = ci.variant_id join product p on p.id = v.product_id and p.is_published
          join vendor ve on ve.id = p.vendor_id and ve.is_published
          join offer o on o.variant_id = v.id and o.hub_id = c.hub_id and o.is_published and o.inventory > 0`;

/** Hubs with sold-out lines that are in stock again. */
export const findHubsWithWatched = (db: Conn) =>
  query(
    db,
    sql`select h.id, h.slug from hub h where h.id in (select c.hub_id from ${watchedInStock} where ci.watching) order by h.id`,
    z.object({ id: z.number(), slug: z.string() }),
  );

/** The next sold-out lines of a hub's carts after this id that are in stock again, by id, locked. */
export const lockWatchedInStock = async (tx: AnyTx, hubId: number, after: number, limit: number): Promise<number[]> =>
  (
    await query(
      tx,
      sql`select ci.id from ${watchedInStock}
          where ci.watching and c.hub_id = ${hubId}::int and ci.id > ${after}::int
          order by ci.id limit ${limit}::int for update of ci skip locked`,
      z.object({ id: z.number() }),
    )
  ).map(({ id }) => id);

/** Restores these sold-out lines that are in stock again (docs/product.md §6), and enqueues a mail for each. */
export const returnWatched = (tx: AnyTx, lineIds: readonly number[], now: Date) =>
  execute(
    tx,
    sql`with back as (
          select ci.id, c.id as customer_id, c.email, c.subscribed_all_messages as wants, v.id as variant_id, coalesce(o.restocked_at, ${now}) as since
          from ${watchedInStock}
          where ci.id = any(${[...lineIds]}::int[])),
        returned as (update cart_item ci set watching = false from back where ci.id = back.id),
        written as (
          insert into mail (key, template, to_email, data, created_at)
          select distinct on (b.customer_id, b.variant_id) 'back-in-stock:' || b.customer_id || ':' || b.variant_id || ':' || extract(epoch from b.since)::bigint,
            'back-in-stock', b.email, jsonb_build_object('variantId', b.variant_id, 'customerId', b.customer_id), ${now}
          from back b where b.wants and b.email is not null on conflict (key) do nothing returning id, next_at), ${enqueueJobs(now)}
        select from notified`,
  );
