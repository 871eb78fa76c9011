import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { PACKED, PAYMENT_PROBLEMS } from "@marketday/domain/order-state";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { isGiven, isUnresolved } from "../payments/refund-sql.ts";
import { isMailed, UNCONFIRMED } from "../payments/set-aside-sql.ts";

/** The condition that an order of hub `h` is packed: it was charged, or the hub packs unpaid orders (docs/product.md §17). */
export const isPacked = (order: Sql): Sql => sql`(h.pack_unpaid or ${order}.charge_failed_at is null)`;

/** The amount to collect at the door for an order `o` with payment `y`, in cents: paid offline, or the card could not be charged. */
export const collectCents = sql`case when o.charge_failed_at is not null or (y.provider = 'offline' and y.state = 'authorized' and o.written_off_at is null)
            then o.order_total_cents - o.credit_cents else 0 end`;

/**
 * Every note for the box whose first order is `o`: its own, then those of its live add-ons, the oldest first. A text that several
 * orders have is there once, and directions to the door that only an add-on was given are among them.
 */
export const boxNotes = sql`(select coalesce(string_agg(n.note, chr(10) order by n.place), '') from (
    select t.note, min(t.place) as place from (
      select v.note, row_number() over (order by x.add_on_to_id nulls first, x.created_at, x.id, v.part) as place
      from orders x cross join lateral (values (1, x.delivery_notes), (2, x.address->>'instructions')) as v(part, note)
      where x.id = o.id or (x.add_on_to_id = o.id and x.status <> 'cancelled')) t
    where t.note <> '' and t.note is distinct from o.address->>'instructions' group by t.note) n)`;

/** Whether the box whose first order is `o` has notes: `boxNotes` is not empty, or the staff wrote one. */
export const hasBoxNotes = sql`(exists (select 1 from orders x cross join lateral (values (x.delivery_notes), (x.address->>'instructions')) as v(note)
    where (x.id = o.id or (x.add_on_to_id = o.id and x.status <> 'cancelled')) and v.note <> '' and v.note is distinct from o.address->>'instructions')
    or exists (select 1 from order_note n join orders x on x.id = n.order_id where (x.id = o.id or x.add_on_to_id = o.id) and n.removed_at is null))`;

/** The staff's notes of a kind for the box whose first order is `o`, the oldest first. */
const staffNotes = (
  kind: "driver" | "shopper",
): Sql => sql`(select coalesce(string_agg(n.text, chr(10) order by n.id), '')
    from order_note n join orders x on x.id = n.order_id where (x.id = o.id or x.add_on_to_id = o.id) and n.kind = ${kind} and n.removed_at is null)`;

/** What the sheets print for the box whose first order is `o`: `boxNotes`, then what the staff note for the driver. */
export const sheetNotes = sql`concat_ws(chr(10), nullif(${boxNotes}, ''), nullif(${staffNotes("driver")}, ''))`;

/** What the staff note for the shopper of a box, by the id of its first order. */
export const findMarketNotes = async (db: Conn, boxId: number): Promise<string> =>
  (await queryOne(
    db,
    sql`select ${staffNotes("shopper")} as notes from orders o where o.id = ${boxId}::int`,
    z.object({ notes: z.string() }),
  ))!.notes;

/** The notes for a box, by the id of its first order (`boxNotes`). */
export const findBoxNotes = async (db: Conn, boxId: number): Promise<string> =>
  (await queryOne(
    db,
    sql`select ${boxNotes} as notes from orders o where o.id = ${boxId}::int`,
    z.object({ notes: z.string() }),
  ))!.notes;

const BoxState = z.object({
  id: z.number(),
  hub_id: z.number(),
  notes: z.string(),
  /** What the staff note for the shopper. */
  market_notes: z.string(),
  payment_problem: z.enum(PAYMENT_PROBLEMS).nullable(),
  packed: z.enum(PACKED),
  is_paid_at_door: z.boolean(),
  missing: z.array(z.string()),
  refunds: z.object({ done: z.number(), underway: z.number(), by_hand: z.number(), failed: z.number() }),
});
/** The notes for a box, and what became of its payment and items. Cents. */
export type BoxState = z.infer<typeof BoxState>;
const stateColumns = sql`o.id, o.hub_id, ${boxNotes} as notes, ${staffNotes("shopper")} as market_notes, s.payment_problem, s.packed, s.is_paid_at_door, t.missing, t.refunds`;

/**
 * What became of the payment and the items of the box `o`: of all its orders, except that a canceled add-on has no payment. A charge
 * that failed is of a closed day, a hold that was lost of an open one. A charge that the provider or the bank did not answer, or that
 * the market could not take, is no problem of the card: no mail was sent about it.
 */
const boxState = sql`lateral (
  select case when bool_or(b.charge_error = ${UNCONFIRMED} and b.charge_failed_at is not null or b.status in ('future', 'open') and y.state = 'authorized' and y.hold_lost_at is not null and y.unconfirmed_at is not null) then 'bank'
      when bool_or(b.charge_failed_at is not null and ${isMailed(sql`b`)} or b.status in ('future', 'open') and y.state = 'authorized' and y.hold_lost_at is not null) then 'card' end as payment_problem,
    case when coalesce(bool_and(${isPacked(sql`b`)}), true) then 'all' when bool_or(${isPacked(sql`b`)}) then 'part' else 'none' end as packed,
    coalesce(bool_or(y.provider = 'offline' and y.state = 'authorized' and b.written_off_at is null), false) as is_paid_at_door
  from orders b left join payment y on y.id = b.payment_id
  where (b.id = o.id or b.add_on_to_id = o.id) and b.status <> 'cancelled') s
cross join lateral (
  select coalesce((select jsonb_agg(m.item order by a.id, m.place) from orders b join audit_entry a on a.subject = 'order:' || b.id and a.action = 'orders short'
      cross join lateral jsonb_array_elements_text(a.data->'missing') with ordinality as m(item, place)
      where b.id = o.id or b.add_on_to_id = o.id), '[]') as missing,
    (select jsonb_build_object('done', coalesce(sum(r.amount_cents) filter (where ${isGiven(sql`r`)} and r.state <> 'created' and not r.is_by_hand), 0),
        'underway', coalesce(sum(r.amount_cents) filter (where r.state = 'created' and not r.is_by_hand), 0),
        'by_hand', coalesce(sum(r.amount_cents) filter (where ${isGiven(sql`r`)} and r.is_by_hand), 0),
        'failed', coalesce(sum(r.amount_cents) filter (where ${isUnresolved(sql`r`)}), 0))
      from orders b cross join lateral (
        select r.*, r.destination = 'card' and coalesce(p.provider = 'offline', false) as is_by_hand
        from refund r left join payment p on p.id = r.payment_id where r.order_id = b.id) r
      where b.id = o.id or b.add_on_to_id = o.id) as refunds) t`;

/** Orders deleted by an edit are kept but hidden; orders cancelled by an operator stay listed (docs/product.md §8). */
const visible = sql`not (o.status = 'cancelled' and o.edited_at is not null)`;

/** The state of a customer's box. The id of an add-on finds its box. */
export const findBoxState = (db: Conn, customerId: CustomerId, orderId: number): Promise<BoxState | null> =>
  queryOne(
    db,
    sql`select ${stateColumns}
        from orders given
        join orders o on o.id = coalesce(given.add_on_to_id, given.id)
        join hub h on h.id = o.hub_id
        cross join ${boxState}
        where given.id = ${orderId}::int and given.customer_id = ${customerId}::int and ${visible}`,
    BoxState,
  );

/**
 * The states of a page of the customer's boxes, latest delivery first, optionally filtered by cutoff date (in the hub's time zone).
 * `total`: the number on all pages.
 */
export async function findBoxStates(
  db: Conn,
  customerId: CustomerId,
  cutoffDate: string | null,
  page: { rows: number; offset: number },
): Promise<{ states: BoxState[]; total: number }> {
  const listed = sql`from orders o join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        where o.customer_id = ${customerId}::int and o.add_on_to_id is null and ${visible}
          and (${cutoffDate}::date is null or (d.cutoff_at at time zone h.time_zone)::date = ${cutoffDate}::date)`;
  const rows = await query(
    db,
    sql`with page as (
          select o.id, count(*) over ()::int as total ${listed}
          order by d.day desc, o.created_at desc, o.id desc limit ${page.rows}::int offset ${page.offset}::int)
        select ${stateColumns}, page.total from page join orders o on o.id = page.id
        join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        cross join ${boxState}
        order by d.day desc, o.created_at desc, o.id desc`,
    BoxState.extend({ total: z.number() }),
  );
  if (rows.length > 0 || page.offset === 0) return { states: rows, total: rows[0]?.total ?? 0 };
  // A page past the end still returns the total.
  const all = await queryOne(db, sql`select count(*)::int as total ${listed}`, z.object({ total: z.number() }));
  return { states: [], total: all?.total ?? 0 };
}
