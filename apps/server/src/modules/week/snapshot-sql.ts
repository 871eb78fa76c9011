import { type AnyTx, type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { isPacked, collectCents, sheetNotes } from "../orders/box-state-sql.ts";

/** The number of boxes frozen in one batch. A box is an order with its add-ons; a batch has a few thousand lines. */
const FREEZE_BATCH = 500;

/** As shoppers read it; null where it rounds to none. */
const measureAmount = sql`nullif(round(v.measure_amount::numeric, 2)::float8, 0)::text`;

/** The unit of a variant `v`: "bunch", "8 oz", "jar, 12 oz"; null if none is set. */
const unitOf = sql`nullif(concat_ws(', ', nullif(trim(v.unit), ''),
            case when strpos(replace(lower(coalesce(v.unit, '')), ' ', ''), replace(lower(${measureAmount} || v.measure), ' ', '')) = 0
              then ${measureAmount} || ' ' || v.measure end), '')`;

const FrozenRow = z.object({ id: z.number(), is_complete: z.boolean() });
const BoxId = z.object({ id: z.number() });

/**
 * Inserts a version of a delivery day; null: there is one. A day that was closed early has a first version of a later instant: the next ones are not before it. */
export const insertSnapshot = (tx: AnyTx, deliveryId: number, version: number, isComplete: boolean, now: Date) =>
  queryOne(
    tx,
    sql`insert into snapshot (delivery_id, hub_id, day, version, hub_name, time_zone, cutoff_at, frozen_at, is_complete)
        select d.id, d.hub_id, d.day, ${version}::int, h.name, h.time_zone, d.cutoff_at,
          greatest(${now}, (select max(frozen_at) from snapshot s where s.delivery_id = d.id)), ${isComplete}::boolean
        from delivery d join hub h on h.id = d.hub_id where d.id = ${deliveryId}::int
        on conflict (delivery_id, version) do nothing returning id, is_complete`,
    FrozenRow,
  );

/**
 * The next boxes of the day whose orders are not closed, oldest first, as the ids of their first orders; `[]`: all are closed.
 */
export const findBoxesToFreeze = async (tx: AnyTx, deliveryId: number): Promise<number[]> =>
  (
    await query(
      tx,
      sql`select box.id from orders box
          where box.id = any(array(select coalesce(o.add_on_to_id, o.id) from orders o where o.delivery_id = ${deliveryId}::int and o.status in ('open', 'future')))
          order by box.created_at, box.id limit ${FREEZE_BATCH}::int`,
      BoxId,
    )
  ).map(({ id }) => id);

/**
 * Inserts these boxes and their lines into a version, without cancelled and removed ones. A box has the same tote number in every
 * version, and no other box gets that number. A line keeps the texts of its first version, so that versions differ only where
 * orders do.
 */
export async function freezeBoxes(
  tx: AnyTx,
  snapshotId: number,
  deliveryId: number,
  boxes: readonly number[],
): Promise<void> {
  await execute(
    tx,
    sql`with numbered as (
          select b.order_id, max(b.tote) as tote from snapshot s join snapshot_box b on b.snapshot_id = s.id
          where s.delivery_id = ${deliveryId}::int group by b.order_id),
        held as (
          select coalesce(o.add_on_to_id, o.id) as id,
            sum(${collectCents}) as due_cents
          from orders o join hub h on h.id = o.hub_id left join payment y on y.id = o.payment_id
          where o.delivery_id = ${deliveryId}::int and o.status <> 'cancelled' and ${isPacked(sql`o`)} and coalesce(o.add_on_to_id, o.id) = any(${[...boxes]}::int[])
          group by coalesce(o.add_on_to_id, o.id)
          -- An emptied order may still have the delivery fee of its box.
          having bool_or(exists (select 1 from order_item i where i.order_id = o.id and i.quantity > 0)))
        insert into snapshot_box (snapshot_id, order_id, tote, name, phone, type, address, pickup, delivery_notes, due_cents)
        select ${snapshotId}::int, o.id,
          coalesce(n.tote, (select coalesce(max(tote), 0) from numbered) + row_number() over (partition by n.tote is null order by o.created_at, o.id)), trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')),
          coalesce(c.phone, ''), o.type, case when c.deleted_at is null then o.address end,
          case when p.id is not null then jsonb_build_object('name', p.name, 'address', p.address, 'city', p.city, 'state', p.state, 'zipCode', p.zip_code, 'hours', p.hours) end,
          ${sheetNotes},
          held.due_cents
        from held join orders o on o.id = held.id left join numbered n on n.order_id = o.id left join customer c on c.id = o.customer_id
        left join pickup_point p on p.id = o.pickup_point_id`,
  );
  await execute(
    tx,
    sql`with earlier as (
          select distinct on (l.order_item_id) l.order_item_id, l.vendor_name, l.unit, l.storage, l.bundle_title
          from snapshot s join snapshot_line l on l.snapshot_id = s.id
          where s.delivery_id = ${deliveryId}::int and s.id <> ${snapshotId}::int order by l.order_item_id, s.version desc)
        insert into snapshot_line (snapshot_id, box_order_id, order_id, order_item_id, variant_id, vendor_id, vendor_name, product_title, variant_title,
          unit, storage, bundle_title, quantity, unit_price_cents, commission_ppm)
        select ${snapshotId}::int, coalesce(o.add_on_to_id, o.id), o.id, i.id, i.variant_id, i.vendor_id, coalesce(e.vendor_name, ve.name), i.product_title, i.variant_title,
          case when e.order_item_id is null then ${unitOf} else e.unit end, coalesce(e.storage, p.storage),
          case when e.order_item_id is null then b.title else e.bundle_title end, i.quantity, i.unit_price_cents, i.commission_ppm
        from orders o join hub h on h.id = o.hub_id join order_item i on i.order_id = o.id and i.quantity > 0 join variant v on v.id = i.variant_id
        join product p on p.id = v.product_id join vendor ve on ve.id = i.vendor_id left join bundle b on b.id = i.bundle_id
        left join earlier e on e.order_item_id = i.id
        where o.delivery_id = ${deliveryId}::int and o.status <> 'cancelled' and ${isPacked(sql`o`)} and coalesce(o.add_on_to_id, o.id) = any(${[...boxes]}::int[]) order by i.id`,
  );
}

/**
 * Updates the planner's statistics after the first boxes of a day. Without it, on a market that never froze as many, the foreign
 * key check of each line scans all boxes of the day.
 */
export const analyzeBoxes = (db: Conn) => execute(db, sql`analyze snapshot_box`);

/**
 * Freezes a delivery day in its next version (docs/product.md §14), in batches within the caller's transaction. The day's row must
 * be locked. Returns the snapshot's id.
 */
export async function freezeNextVersion(tx: AnyTx, deliveryId: number, now: Date): Promise<number> {
  const last = await queryOne(
    tx,
    sql`select coalesce(max(version), 0)::int as version from snapshot where delivery_id = ${deliveryId}::int`,
    z.object({ version: z.number() }),
  );
  const { id } = (await insertSnapshot(tx, deliveryId, (last?.version ?? 0) + 1, true, now))!;
  const boxes = await query(
    tx,
    sql`select box.id from orders box
        where box.id = any(array(select coalesce(o.add_on_to_id, o.id) from orders o where o.delivery_id = ${deliveryId}::int and o.status <> 'cancelled'))
        order by box.created_at, box.id`,
    BoxId,
  );
  for (let from = 0; from < boxes.length; from += FREEZE_BATCH)
    await freezeBoxes(
      tx,
      id,
      deliveryId,
      boxes.slice(from, from + FREEZE_BATCH).map((box) => box.id),
    );
  return id;
}
