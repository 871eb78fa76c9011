import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
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

/**
 * Releases an attempt's holds: deletes them and returns the units to their offers, locked in id order. False: it held nothing.
 */
export async function releaseHolds(tx: Conn, attemptId: string): Promise<boolean> {
  await query(
    tx,
    sql`select o.id, o.inventory from offer o join stock_hold h on h.offer_id = o.id where h.attempt_id = ${attemptId}::uuid order by o.id for update of o`,
    StockRow,
  );
  const released = await execute(
    tx,
    sql`with gone as (delete from stock_hold where attempt_id = ${attemptId}::uuid returning offer_id, quantity)
        update offer o set inventory = o.inventory + gone.quantity, sold_out_at = null from gone where o.id = gone.offer_id`,
  );
  return released > 0;
}

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
export async function reacquireHold(
  tx: Conn,
  attemptId: string,
  lines: readonly Units[],
  now: Date,
  expiresAt: Date,
): Promise<boolean> {
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
  await execute(tx, sql`with ${stockHold(attemptId, wanted, expiresAt, now)} select 1`);
  return true;
}
