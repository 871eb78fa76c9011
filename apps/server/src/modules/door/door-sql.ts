import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { collectCents } from "../orders/box-state-sql.ts";

const DoorBoxRow = z.object({
  /** Of its first order. */
  orderId: z.number(),
  tote: z.number().nullable(),
  name: z.string(),
  city: z.string(),
  /** Name of its pickup point; null: it goes to a door. */
  pickup: z.string().nullable(),
  /** On the newest sheets. */
  driver: z.number().nullable(),
  stop: z.number().nullable(),
  /** Of its orders of this day that are unpaid. */
  dueCents: z.number(),
  /** Recorded at the door. */
  paidCents: z.number(),
  /** The part of it that was recorded for an order of this day, with what it paid of other days. */
  collectedCents: z.number(),
  /** Of closed orders of other days that the same payments cover. */
  elsewhereCents: z.number(),
  isDeclined: z.boolean(),
  /** As JSON has it. */
  paidAt: z.string().nullable(),
  paidBy: z.string().nullable(),
});
export type DoorBoxRow = z.infer<typeof DoorBoxRow>;

const DoorRow = z.object({
  delivery_id: z.number(),
  hub: z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() }),
  cutoff_at: z.date(),
  is_closed: z.boolean(),
  boxes: z.array(DoorBoxRow),
});
export type DoorRow = z.infer<typeof DoorRow>;

/**
 * The boxes of a hub's delivery day (slug or id) whose money is to be collected, or was recorded at the door, by tote. Tote and place are
 * those of the newest version, driver and stop those of the newest route plan. An amount to collect counts before the cutoff, too. Null: no
 * such hub or day. Cents.
 */
export const findDoor = (db: Conn, key: string, day: string): Promise<DoorRow | null> =>
  queryOne(
    db,
    sql`with d as (
          select d.*, h.slug, h.name, h.time_zone from delivery d join hub h on h.id = d.hub_id
          where d.day = ${day}::date
            and h.id = (select k.id from hub k where k.slug = ${key} or k.id = ${hubId(key)}::int order by k.id limit 1)),
        s as (select s.id from snapshot s join d on d.id = s.delivery_id where s.is_complete order by s.version desc limit 1),
        plan as (
          select p.routes from snapshot v join d on d.id = v.delivery_id join route_plan p on p.snapshot_id = v.id
          where v.is_complete order by v.version desc limit 1),
        stop as (
          select stop.id::int as order_id, route.driver::int, stop.place::int
          from plan cross join jsonb_array_elements(plan.routes) with ordinality as route(ids, driver)
          cross join jsonb_array_elements_text(route.ids) with ordinality as stop(id, place) where stop.id is not null),
        money as (
          select coalesce(o.add_on_to_id, o.id) as id, sum(case when o.customer_id is not null then ${collectCents} else 0 end)::int as due_cents,
            bool_or(o.charge_failed_at is not null) as is_declined,
            array_agg(distinct y.id) filter (where y.provider = 'offline' and y.state = 'captured') as paid_ids,
            array_agg(distinct y.id) filter (where y.provider = 'offline' and y.state = 'authorized' and o.written_off_at is null and o.charge_failed_at is null) as due_ids
          from d join orders o on o.delivery_id = d.id left join payment y on y.id = o.payment_id
          where o.status <> 'cancelled' group by 1),
        box as (
          select m.*, (select coalesce(sum(y.captured_cents), 0)::int from payment y where y.id = any(m.paid_ids)) as paid_cents,
            (select coalesce(sum(y.captured_cents), 0)::int from payment y where y.id = any(m.paid_ids) and (
              select x.delivery_id from orders x join audit_entry e on e.subject = 'order:' || x.id and e.action = 'orders paid'
              where x.payment_id = y.id order by e.id desc limit 1) = (select id from d)) as collected_cents,
            (select coalesce(sum(x.order_total_cents - x.credit_cents), 0)::int from orders x
              where x.payment_id = any(case when m.due_cents > 0 then m.due_ids else m.paid_ids end) and x.status in ('pending', 'closed')
                and x.written_off_at is null and coalesce(x.add_on_to_id, x.id) <> m.id) as elsewhere_cents
          from money m where m.due_cents > 0 or m.paid_ids is not null)
        select d.id as delivery_id, json_build_object('id', d.hub_id, 'slug', d.slug, 'name', d.name, 'timeZone', d.time_zone) as hub, d.cutoff_at,
          exists (select 1 from s) or exists (
            select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'cutoff' and r.state <> 'running') as is_closed,
          coalesce((select json_agg(json_build_object('orderId', b.id, 'tote', t.tote,
              'name', case when c.deleted_at is null then trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) else '' end,
              'city', case when c.deleted_at is null then coalesce(o.address->>'city', '') else '' end,
              'pickup', case when t.tote is null then u.name else t.pickup->>'name' end,
              'driver', case when t.pickup is null and t.tote is not null then stop.driver end,
              'stop', case when t.pickup is null and t.tote is not null then stop.place end,
              'dueCents', b.due_cents, 'paidCents', b.paid_cents, 'collectedCents', b.collected_cents, 'elsewhereCents', b.elsewhere_cents, 'isDeclined', b.is_declined,
              'paidAt', a.created_at, 'paidBy', a.name) order by t.tote nulls last, b.id)
            from box b join orders o on o.id = b.id left join customer c on c.id = o.customer_id
            left join pickup_point u on u.id = o.pickup_point_id and o.type = 'pickup'
            left join snapshot_box t on t.order_id = b.id and t.snapshot_id = (select id from s)
            left join stop on stop.order_id = b.id
            left join lateral (
              select e.created_at, case when e.actor like 'operator:%' then substr(e.actor, 10) else p.name end as name
              from orders x join audit_entry e on e.subject = 'order:' || x.id and e.action = 'orders paid'
              left join staff p on e.actor = 'staff:' || p.email
              where b.due_cents = 0 and x.payment_id = any(b.paid_ids) order by e.id desc limit 1) a on true), '[]') as boxes
        from d`,
    DoorRow,
  );

const hubId = (key: string): number | null => (/^[1-9]\d{0,8}$/.test(key) ? Number(key) : null);
