import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { HOLD_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

/** Units of an offer that an attempt reserves. */
export interface Units {
  offerId: number;
  quantity: number;
}

const StockRow = z.object({ id: z.number(), inventory: z.number() });

/** Locks offers in id order, so that two checkouts cannot deadlock (failures.md A3). */
export const lockOffers = (tx: Conn, offerIds: readonly number[]) =>
  query(
    tx,
    sql`select id, inventory from offer where id = any(${[...offerIds]}::int[]) order by id for update`,
    StockRow,
  );

/** Caps the cart's quantities to the stock; sold-out lines become watched (failures.md A4). */
export const capToStock = (tx: Conn, cartId: number, hubId: number) =>
  execute(
    tx,
    sql`update cart_item ci set watching = (o.inventory = 0), quantity = case when o.inventory > 0 then least(ci.quantity, o.inventory) else ci.quantity end
        from offer o where ci.cart_id = ${cartId}::int and o.variant_id = ci.variant_id and o.hub_id = ${hubId}::int
          and (o.inventory < ci.quantity or ci.watching <> (o.inventory = 0))`,
  );

/**
 * Locks the offers that an attempt holds and those in its cart, in one statement and in id order. Releasing the first and
 * then reserving the second would lock them out of order (failures.md A3).
 */
export const lockHeldAndWanted = (tx: Conn, attemptId: string, cartId: number, hubId: number) =>
  query(
    tx,
    sql`select o.id, o.inventory from offer o
        where o.id in (select offer_id from stock_hold where attempt_id = ${attemptId}::uuid)
          or (o.hub_id = ${hubId}::int and o.variant_id in (select variant_id from cart_item where cart_id = ${cartId}::int))
        order by o.id for update`,
    StockRow,
  );

/** When units were taken: after that stock adjustment, or, where it was not recorded, at that instant. */
export interface Taken {
  stock_mark: number | null;
  created_at: Date;
}

/** The last refill of an offer's weekly stock before its units were taken (`Taken`), or a later adjustment before them; 0: none. */
export const stockMark = (offerId: Sql, mark: Sql, createdAt: Sql): Sql =>
  sql`coalesce(${mark}, (select max(w.id) from stock_adjustment w where w.offer_id = ${offerId} and w.level is not null and w.created_at <= ${createdAt}), 0)`;

/** The last stock adjustment. Read while the offers' rows are locked: later refills of these offers have higher ids. */
export const presentMark = sql`(select coalesce(max(id), 0) from stock_adjustment)`;

/** Units that were returned. `isOver`: their week is over, so they were written off. */
const Returned = z.object({ offer_id: z.number(), quantity: z.number(), is_over: z.boolean() });
export type Returned = z.infer<typeof Returned>;

/**
 * The rest of a `with` that has `units` (offer_id, quantity, mark): returns them to their offers, whose rows the caller has locked.
 * Units go back only into the week that they were taken from: once the offer's weekly stock was refilled, they are written off, because
 * the refill has replaced them (docs/product.md §7).
 */
const returning = (now: Date): Sql =>
  sql`weeks as (
          select u.*, exists (select 1 from stock_adjustment a where a.offer_id = u.offer_id and a.level is not null and a.id > u.mark) as is_over
          from units u),
        written as (
          insert into stock_adjustment (offer_id, amount, reason, stock_mark, created_at)
          select offer_id, -quantity, 'not sold in its week', mark, ${now}::timestamptz from weeks where is_over),
        returned as (
          update offer o set inventory = o.inventory + w.quantity, sold_out_at = null from weeks w where o.id = w.offer_id and not w.is_over)
        select offer_id, quantity, is_over from weeks`;

/** Part of a `with`: units of an order, with their mark. */
const unitsOf = (units: readonly Units[], taken: Taken): Sql =>
  sql`units as (
          select u.offer_id, u.quantity, ${stockMark(sql`u.offer_id`, sql`${taken.stock_mark}::int`, sql`${taken.created_at}::timestamptz`)} as mark
          from (select "offerId" as offer_id, sum(quantity)::int as quantity
            from jsonb_to_recordset(${JSON.stringify(units)}::jsonb) as r ("offerId" int, quantity int) group by "offerId") u)`;

/** Returns units of an order to stock (`returning`). The caller has locked the offers' rows in id order. */
export const returnUnits = (tx: Conn, units: readonly Units[], taken: Taken, now: Date): Promise<Returned[]> =>
  query(
    tx,
    sql`with ${unitsOf(units, taken)},
        ${returning(now)}`,
    Returned,
  );

/** Puts units on sale that `returnUnits` has written off. */
export const putOnSale = (tx: Conn, units: readonly Returned[], reason: string, now: Date) =>
  execute(
    tx,
    sql`with units as (select * from jsonb_to_recordset(${JSON.stringify(units)}::jsonb) as u (offer_id int, quantity int)),
        counted as (
          insert into stock_adjustment (offer_id, amount, reason, created_at) select offer_id, quantity, ${reason}, ${now}::timestamptz from units)
        update offer o set inventory = o.inventory + u.quantity, sold_out_at = null from units u where o.id = u.offer_id`,
  );

/** Writes off units of an order that do not return to stock, because they spoiled or never arrived. V1 deducts them. */
export const writeOffUnits = (tx: Conn, units: readonly Units[], taken: Taken, reason: string, now: Date) =>
  execute(
    tx,
    sql`with ${unitsOf(units, taken)}
        insert into stock_adjustment (offer_id, amount, reason, stock_mark, created_at)
        select offer_id, -quantity, ${reason}, mark, ${now}::timestamptz from units`,
  );

/** Releases an attempt's holds: deletes them and returns the units to their offers (`returning`), locked in id order. Empty: it held nothing. */
export async function releaseHolds(tx: Conn, attemptId: string, now: Date): Promise<Returned[]> {
  await query(
    tx,
    sql`select o.id, o.inventory from offer o join stock_hold h on h.offer_id = o.id where h.attempt_id = ${attemptId}::uuid order by o.id for update of o`,
    StockRow,
  );
  return query(
    tx,
    sql`with gone as (delete from stock_hold where attempt_id = ${attemptId}::uuid returning attempt_id, offer_id, quantity),
        units as (
          select gone.offer_id, gone.quantity, ${stockMark(sql`gone.offer_id`, sql`a.stock_mark`, sql`a.created_at`)} as mark
          from gone join checkout_attempt a on a.id = gone.attempt_id),
        ${returning(now)}`,
    Returned,
  );
}

/** Undoes `releaseHolds` in its transaction: the attempt holds the same units again, as if they had never been released. */
export const restoreHolds = (tx: Conn, attemptId: string, units: readonly Returned[], expiresAt: Date, now: Date) =>
  execute(
    tx,
    sql`with units as (select * from jsonb_to_recordset(${JSON.stringify(units)}::jsonb) as u (offer_id int, quantity int, is_over boolean)),
        unwritten as (
          insert into stock_adjustment (offer_id, amount, reason, stock_mark, created_at)
          select u.offer_id, u.quantity, 'held again', ${stockMark(sql`u.offer_id`, sql`a.stock_mark`, sql`a.created_at`)}, ${now}::timestamptz
          from units u join checkout_attempt a on a.id = ${attemptId}::uuid where u.is_over),
        taken as (
          update offer o set inventory = o.inventory - u.quantity,
            sold_out_at = case when o.inventory = u.quantity then ${now}::timestamptz else o.sold_out_at end
          from units u where o.id = u.offer_id and not u.is_over)
        insert into stock_hold (attempt_id, offer_id, quantity, expires_at) select ${attemptId}::uuid, offer_id, quantity, ${expiresAt} from units`,
  );

/**
 * Part of a `with`: takes the units from their offers, whose rows the caller has locked, and records them as held by the
 * attempt.
 */
export const stockHold = (attemptId: string, units: readonly Units[], expiresAt: Date, now: Date): Sql =>
  sql`units as (select * from jsonb_to_recordset(${JSON.stringify(units)}::jsonb) as u ("offerId" int, quantity int)),
        taken as (
          update offer o set inventory = o.inventory - units.quantity,
            sold_out_at = case when o.inventory = units.quantity then ${now}::timestamptz else o.sold_out_at end
          from units where o.id = units."offerId"),
        held as (
          insert into stock_hold (attempt_id, offer_id, quantity, expires_at) select ${attemptId}::uuid, "offerId", quantity, ${expiresAt} from units)`;

/** Reserves an attempt's stock again if its hold was released, all of it or none. False when the stock is no longer there. */
export async function reacquireHold(tx: Conn, attemptId: string, lines: readonly Units[], now: Date): Promise<boolean> {
  const held = await queryOne(
    tx,
    sql`select true as held from stock_hold where attempt_id = ${attemptId}::uuid limit 1`,
    z.object({ held: z.boolean() }),
  );
  if (held) return true;
  const units = new Map<number, number>();
  for (const { offerId, quantity } of lines) units.set(offerId, (units.get(offerId) ?? 0) + quantity);
  const stock = await lockOffers(tx, [...units.keys()]);
  if ([...units].some(([id, quantity]) => (stock.find((offer) => offer.id === id)?.inventory ?? 0) < quantity))
    return false;
  const wanted = [...units].map(([offerId, quantity]) => ({ offerId, quantity }));
  await execute(
    tx,
    sql`with ${stockHold(attemptId, wanted, addMs(now, HOLD_MS), now)} update checkout_attempt set stock_mark = ${presentMark} where id = ${attemptId}::uuid`,
  );
  return true;
}
