import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import type { RoutePlan } from "@marketday/domain/sheets";
import { z } from "zod";

import { collectCents, isPacked } from "../orders/store.ts";

const LockedRow = z.object({ id: z.number() });

/** Locks a day, so that its versions are frozen one at a time. */
export const lockSheetDay = (tx: Conn, deliveryId: number) =>
  queryOne(tx, sql`select id from delivery where id = ${deliveryId}::int for update`, LockedRow);

const StaleRow = z.object({
  id: z.number(),
  version: z.number(),
  is_stale: z.boolean(),
  /** The number of drivers of its sheets; null: no sheets were made yet. */
  drivers: z.number().nullable(),
});

/**
 * The newest version, and whether the day's lines, amounts to collect or addresses differ from it; null: nothing is frozen.
 * Payments at the door and deleted accounts do not count as differences.
 */
export const findNewestVersion = (db: Conn, deliveryId: number) =>
  queryOne(
    db,
    sql`select s.id, s.version, (select p.drivers from route_plan p where p.snapshot_id = s.id) as drivers, exists (
          select 1 from (select order_item_id, quantity from snapshot_line where snapshot_id = s.id) f
          full join (
            select i.id, i.quantity from orders o join hub h on h.id = o.hub_id join order_item i on i.order_id = o.id and i.quantity > 0
            where o.delivery_id = ${deliveryId}::int and o.status <> 'cancelled' and ${isPacked(sql`o`)}) n on n.id = f.order_item_id
          where f.quantity is distinct from n.quantity)
          or exists (
            select 1 from snapshot_box b join (
              select coalesce(o.add_on_to_id, o.id) as id, sum(${collectCents}) as due_cents,
                sum(case when y.provider = 'offline' and y.state = 'captured' then o.order_total_cents - o.credit_cents else 0 end) as paid_cents
              from orders o join hub h on h.id = o.hub_id left join payment y on y.id = o.payment_id
              where o.delivery_id = ${deliveryId}::int and o.status <> 'cancelled' and ${isPacked(sql`o`)} group by coalesce(o.add_on_to_id, o.id)) c on c.id = b.order_id
            where b.snapshot_id = s.id and b.due_cents not between c.due_cents and c.due_cents + c.paid_cents)
          or exists (
            select 1 from snapshot_box b join orders o on o.id = b.order_id join customer c on c.id = o.customer_id
            where b.snapshot_id = s.id and c.deleted_at is null
              and (b.type <> o.type or (o.type = 'delivery' and b.address is distinct from o.address))) as is_stale
        from snapshot s where s.delivery_id = ${deliveryId}::int and s.is_complete order by s.version desc limit 1`,
    StaleRow,
  );

const SnapshotRow = z.object({
  id: z.number(),
  version: z.number(),
  hub_name: z.string(),
  time_zone: z.string(),
  cutoff_at: z.date(),
  frozen_at: z.date(),
  plan: z.object({ drivers: z.number(), routes: z.array(z.array(z.number().nullable())) }).nullable(),
});

/** Every version of a day with the routes of its sheets, oldest first. */
export const findSnapshots = (db: Conn, deliveryId: number) =>
  query(
    db,
    sql`select s.id, s.version, s.hub_name, s.time_zone, s.cutoff_at, s.frozen_at,
          case when p.snapshot_id is not null then jsonb_build_object('drivers', p.drivers, 'routes', p.routes) end as plan
        from snapshot s left join route_plan p on p.snapshot_id = s.id
        where s.delivery_id = ${deliveryId}::int and s.is_complete order by s.version`,
    SnapshotRow,
  );

/** Writes the routes of a version's sheets. The day must be locked, and the version must have none. */
export const insertPlan = (tx: Conn, snapshotId: number, { drivers, routes }: RoutePlan, now: Date) =>
  execute(
    tx,
    sql`insert into route_plan (snapshot_id, drivers, routes, planned_at)
        values (${snapshotId}::int, ${drivers}::int, ${JSON.stringify(routes)}::jsonb, ${now})`,
  );

const text = z.string().nullish();
const BoxRow = z.object({
  order_id: z.number(),
  tote: z.number(),
  name: z.string(),
  phone: z.string(),
  address: z
    .object({ address: text, address2: text, city: text, state: text, zipCode: text, instructions: text })
    .nullable(),
  pickup: z.object({ name: text, address: text, city: text, state: text, zipCode: text, hours: text }).nullable(),
  delivery_notes: z.string(),
  due_cents: z.number(),
});
export type BoxRow = z.infer<typeof BoxRow>;

/** The boxes of one version, by tote. */
export const findBoxes = (db: Conn, snapshotId: number): Promise<BoxRow[]> =>
  query(
    db,
    sql`select order_id, tote, name, phone, address, pickup, delivery_notes, due_cents from snapshot_box
        where snapshot_id = ${snapshotId}::int order by tote`,
    BoxRow,
  );

const LineRow = z.object({
  box_order_id: z.number(),
  order_item_id: z.number(),
  vendor_id: z.number(),
  vendor_name: z.string(),
  variant_id: z.number(),
  product_title: z.string(),
  variant_title: z.string(),
  unit: z.string().nullable(),
  storage: z.enum(["dry", "cold", "frozen"]),
  bundle_title: z.string().nullable(),
  quantity: z.number(),
});
export type LineRow = z.infer<typeof LineRow>;

/** The lines of one version, by box and line. */
export const findLines = (db: Conn, snapshotId: number): Promise<LineRow[]> =>
  query(
    db,
    sql`select box_order_id, order_item_id, vendor_id, vendor_name, variant_id, product_title, variant_title, unit, storage, bundle_title, quantity
        from snapshot_line where snapshot_id = ${snapshotId}::int order by box_order_id, order_item_id`,
    LineRow,
  );
