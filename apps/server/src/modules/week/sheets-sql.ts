import { type AnyTx, type Conn, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { collectCents, isPacked, sheetNotes } from "../orders/box-state-sql.ts";

const LockedRow = z.object({ id: z.number() });

/** Locks a day, so that its versions are frozen one at a time. */
export const lockSheetDay = (tx: AnyTx, deliveryId: number) =>
  queryOne(tx, sql`select id from delivery where id = ${deliveryId}::int for update`, LockedRow);

const StaleRow = z.object({
  id: z.number(),
  version: z.number(),
  is_stale: z.boolean(),
  /** The number of drivers of its sheets; null: no sheets were made yet. */
  drivers: z.number().nullable(),
  /** The newest version whose sheets were made; null: none. */
  made: z.object({ version: z.number(), drivers: z.number() }).nullable(),
});

/**
 * Whether the lines, amounts to collect, places or notes for the driver of a day differ from version `s` of it. Payments at the door and deleted accounts do
 * not count as differences.
 */
export const isStale = (s: Sql, deliveryId: Sql): Sql => sql`(exists (
          select 1 from (select order_item_id, quantity from snapshot_line where snapshot_id = ${s}.id) f
          full join (
            select i.id, i.quantity from orders o join hub h on h.id = o.hub_id join order_item i on i.order_id = o.id and i.quantity > 0
            where o.delivery_id = ${deliveryId} and o.status <> 'cancelled' and ${isPacked(sql`o`)}) n on n.id = f.order_item_id
          where f.quantity is distinct from n.quantity)
          or exists (
            select 1 from snapshot_box b join (
              select coalesce(o.add_on_to_id, o.id) as id, sum(${collectCents}) as due_cents,
                sum(case when y.provider = 'offline' and y.state = 'captured' then o.order_total_cents - o.credit_cents else 0 end) as paid_cents
              from orders o join hub h on h.id = o.hub_id left join payment y on y.id = o.payment_id
              where o.delivery_id = ${deliveryId} and o.status <> 'cancelled' and ${isPacked(sql`o`)} group by coalesce(o.add_on_to_id, o.id)) c on c.id = b.order_id
            where b.snapshot_id = ${s}.id and b.due_cents not between c.due_cents and c.due_cents + c.paid_cents)
          or exists (
            select 1 from snapshot_box b join orders o on o.id = b.order_id join customer c on c.id = o.customer_id
            where b.snapshot_id = ${s}.id and c.deleted_at is null
              and (b.type <> o.type or (o.type = 'delivery' and b.address is distinct from o.address)
                or (o.type = 'pickup' and not exists (select 1 from pickup_point p where p.id = o.pickup_point_id and b.pickup @>
                  jsonb_build_object('name', p.name, 'address', p.address, 'city', p.city, 'state', p.state, 'zipCode', p.zip_code)))))
          or exists (
            select 1 from order_note w join orders x on x.id = w.order_id join orders o on o.id = coalesce(x.add_on_to_id, x.id)
            join snapshot_box b on b.order_id = o.id and b.snapshot_id = ${s}.id join customer c on c.id = o.customer_id
            where x.delivery_id = ${deliveryId} and w.kind = 'driver' and c.deleted_at is null and b.delivery_notes is distinct from ${sheetNotes}))`;

/** The newest version, and whether it is stale; null: nothing is frozen. */
export const findNewestVersion = (db: Conn, deliveryId: number) =>
  queryOne(
    db,
    sql`select s.id, s.version, (select p.drivers from route_plan p where p.snapshot_id = s.id) as drivers,
          ${isStale(sql`s`, sql`${deliveryId}::int`)} as is_stale,
          (select json_build_object('version', v.version, 'drivers', p.drivers) from snapshot v join route_plan p on p.snapshot_id = v.id
            where v.delivery_id = s.delivery_id and v.is_complete order by v.version desc limit 1) as made
        from snapshot s where s.delivery_id = ${deliveryId}::int and s.is_complete order by s.version desc limit 1`,
    StaleRow,
  );
