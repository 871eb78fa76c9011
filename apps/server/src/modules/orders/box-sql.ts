import { type AnyTx, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import type { BoxOrder } from "./box-store.ts";
import { EditableOrder, editableColumns } from "./edit-sql.ts";

const Id = z.object({ id: z.number() });

/**
 * Serializes edits, cancellations and checkouts of a customer's orders for one delivery until the transaction ends: each may
 * change which order the others are added to. The delivery (`lockOpenDeliveries`) is locked before (docs/architecture.md, Lock
 * order).
 */
export const lockCustomerBoxes = (tx: AnyTx, customerId: number | null, deliveryId: number) =>
  execute(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`boxes ${customerId} ${deliveryId}`}, 7263903))`);

/** Locks the orders of a box, and returns the live ones, oldest first. */
export async function lockBoxOrders(tx: AnyTx, boxId: number): Promise<EditableOrder[]> {
  await query(
    tx,
    sql`select id from orders where id = ${boxId}::int or add_on_to_id = ${boxId}::int order by id for update`,
    Id,
  );
  return query(
    tx,
    sql`select ${editableColumns} from orders o join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        where (o.id = ${boxId}::int or o.add_on_to_id = ${boxId}::int) and o.status <> 'cancelled'
        order by o.add_on_to_id nulls first, o.created_at, o.id`,
    EditableOrder,
  );
}

const BoxOrderRow = z.object({ id: z.number(), box_id: z.number(), status: z.string() });

/** `findBoxOrders`, locked. */
export const lockBoxesOf = (tx: AnyTx, orderIds: readonly number[]): Promise<BoxOrder[]> => {
  const boxes = sql`array(select coalesce(n.add_on_to_id, n.id) from orders n where n.id = any(${[...orderIds]}::int[]))`;
  return query(
    tx,
    sql`select o.id, coalesce(o.add_on_to_id, o.id) as box_id, o.status from orders o
        where o.id = any(${boxes}) or o.add_on_to_id = any(${boxes}) order by o.id for update`,
    BoxOrderRow,
  );
};

/**
 * Locks the open box that a checkout joins. The id of an order that was replaced by its add-on finds that add-on. Null: the
 * box is gone or closed. The caller holds `lockCustomerBoxes`.
 */
export const lockOpenBox = async (tx: AnyTx, orderId: number, customerId: CustomerId): Promise<number | null> =>
  (
    await queryOne(
      tx,
      sql`select b.id from orders b
          where b.id = (select coalesce(o.add_on_to_id, o.id) from orders o where o.id = ${orderId}::int and o.customer_id = ${customerId}::int)
            and b.status = 'open' for update`,
      Id,
    )
  )?.id ?? null;

/**
 * Makes an add-on the first order of its box. It gets the box's type, address, pickup point and delivery notes, before its own; all other
 * orders of the box, including the former first order, become its add-ons (`docs/product.md` §17).
 */
export const promoteAddOn = (tx: AnyTx, boxId: number, addOnId: number) =>
  execute(
    tx,
    sql`update orders o set add_on_to_id = case when o.id = ${addOnId}::int then null else ${addOnId}::int end,
          type = case when o.id = ${addOnId}::int then b.type else o.type end,
          address = case when o.id = ${addOnId}::int then b.address else o.address end,
          pickup_point_id = case when o.id = ${addOnId}::int then b.pickup_point_id else o.pickup_point_id end,
          delivery_notes = case when o.id = ${addOnId}::int then concat_ws(chr(10), nullif(b.delivery_notes, ''), nullif(nullif(o.delivery_notes, ''), b.delivery_notes))
            when o.id = b.id then '' else o.delivery_notes end
        from orders b where b.id = ${boxId}::int and (o.id = b.id or o.add_on_to_id = b.id)`,
  );
