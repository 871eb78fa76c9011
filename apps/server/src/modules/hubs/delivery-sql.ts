import { type Conn, execute, query, queryOne, sql, type Sql, type AnyTx } from "@marketday/db";
import { z } from "zod";

import type { CustomerId, GuestId } from "../identity/context.ts";

const DeliveryRow = z.object({
  hub_id: z.number(),
  id: z.number(),
  day: z.string(),
  cutoff_at: z.date(),
  auto_checkout_at: z.date(),
});

/** The first delivery of each hub that still takes orders at `now`. */
export async function findNextDeliveries(db: Conn, now: Date): Promise<z.infer<typeof DeliveryRow>[]> {
  return query(
    db,
    sql`select distinct on (d.hub_id) d.hub_id, d.id, d.day, d.cutoff_at, d.auto_checkout_at
        from delivery d where ${takesOrders(sql`d`, now)} order by d.hub_id, d.cutoff_at`,
    DeliveryRow,
  );
}

/**
 * Makes the lines of a shopper's cart that a hub sells lines of this hub: its shopper has chosen it. Others stay lines of theirs. The
 * cart is locked before its lines and its owner (docs/architecture.md, Lock order).
 */
export async function chooseForCart(
  tx: AnyTx,
  owner: { customerId: CustomerId } | { guestId: GuestId },
  hubId: number,
): Promise<void> {
  const isOwn =
    "customerId" in owner ? sql`customer_id = ${owner.customerId}::int` : sql`guest_id = ${owner.guestId}::uuid`;
  const cart = await queryOne(tx, sql`select id from cart where ${isOwn} for update`, z.object({ id: z.number() }));
  if (!cart) return;
  await execute(
    tx,
    sql`update cart_item ci set hub_id = ${hubId}::int
        from offer o join variant v on v.id = o.variant_id join product p on p.id = v.product_id join vendor ve on ve.id = p.vendor_id
        where ci.cart_id = ${cart.id}::int and o.variant_id = ci.variant_id and o.hub_id = ${hubId}::int
          and o.is_published and p.is_published and ve.is_published and ci.hub_id is distinct from ${hubId}::int`,
  );
}

/** Moves a guest to another hub; every server drops their cached sessions. */
export async function moveGuest(db: Conn, guestId: GuestId, hubId: number): Promise<void> {
  await query(
    db,
    sql`with moved as (update guest set hub_id = ${hubId}::int where id = ${guestId}::uuid)
        select pg_notify('session', id::text) as notified from session where guest_id = ${guestId}::uuid and ended_at is null`,
  );
}

/** The same for a customer, on all their devices. */
export async function moveCustomer(db: Conn, customerId: CustomerId, hubId: number): Promise<void> {
  await query(
    db,
    sql`with moved as (update customer set hub_id = ${hubId}::int where id = ${customerId}::int)
        select pg_notify('session', id::text) as notified from session where customer_id = ${customerId}::int and ended_at is null`,
  );
}

/** Whether the orders of delivery `d` have been closed: its cutoff has begun, on time or early (docs/decisions/0012). */
export const isClosedDay = (d: Sql): Sql =>
  sql`exists (select 1 from snapshot closed where closed.delivery_id = ${d}.id)`;

/** Whether the date of delivery `d` is one that its hub skips. Its orders are canceled; new ones go to the next day. */
export const isClosedDate = (d: Sql): Sql =>
  sql`exists (select 1 from hub_closure skipped where skipped.hub_id = ${d}.hub_id and skipped.day = ${d}.day)`;

/**
 * Whether delivery `d` takes orders at `now`: its cutoff is ahead, its orders were not closed early by `market jobs run --at`
 * (docs/decisions/0012), and its date is not closed. Every place that needs a hub's next delivery uses this condition.
 */
export const takesOrders = (d: Sql, now: Date): Sql =>
  sql`(${d}.cutoff_at > ${now} and not ${isClosedDay(d)} and not ${isClosedDate(d)})`;
