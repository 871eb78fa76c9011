import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { EDIT_MESSAGES } from "@marketday/domain/order-edit";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { lockOpenDeliveries } from "../hubs/day-store.ts";
import type { CustomerId } from "../identity/context.ts";
import { EditableOrder, editableColumns } from "./edit-store.ts";

const Id = z.object({ id: z.number() });
const Member = z.object({ box_id: z.number(), delivery_id: z.number(), customer_id: z.number().nullable() });

/**
 * Serializes edits, cancellations and checkouts of a customer's orders for one delivery until the transaction ends: each may
 * change which order the others are added to. The delivery (`lockOpenDeliveries`) is locked before (docs/architecture.md, Lock
 * order).
 */
export const lockCustomerBoxes = (tx: Conn, customerId: number | null, deliveryId: number) =>
  execute(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`boxes ${customerId} ${deliveryId}`}, 7263903))`);

/** The id of the box that contains the order: the order number shown to people. */
export const findBoxId = async (db: Conn, orderId: number): Promise<number> =>
  (await queryOne(db, sql`select coalesce(add_on_to_id, id) as id from orders where id = ${orderId}::int`, Id))?.id ??
  orderId;

/** The locked orders of one box: the first order and its add-ons. `orders` are the live ones, oldest first. */
export interface LockedBox {
  /** The first order of the box, which the others were added to; its number is shown to people. */
  id: number;
  orders: EditableOrder[];
}

/**
 * Locks the box of an order against the cutoff and against checkouts that join it. The id of an emptied or canceled order also
 * finds its box. Null: the order does not exist or belongs to another customer (`customerId` null: any customer).
 * @throws AppError 409 `past_cutoff` for a customer's order of a closed day
 */
export async function lockBox(tx: Conn, orderId: number, customerId: CustomerId | null): Promise<LockedBox | null> {
  const find = () =>
    queryOne(
      tx,
      sql`select coalesce(add_on_to_id, id) as box_id, delivery_id, customer_id from orders
          where id = ${orderId}::int and (${customerId}::int is null or customer_id = ${customerId}::int)`,
      Member,
    );
  const before = await find();
  if (!before) return null;
  const isDayOpen = await lockOpenDeliveries(tx, [before.delivery_id]);
  // Rejects a shopper's late edit before it waits for rows that the cutoff has locked.
  if (customerId !== null && !isDayOpen) throw new AppError(409, EDIT_MESSAGES.closed, { code: "past_cutoff" });
  await lockCustomerBoxes(tx, before.customer_id, before.delivery_id);
  const member = await find();
  if (!member) return null;
  // Moved to another day while this waited for its day's lock.
  if (member.delivery_id !== before.delivery_id) return lockBox(tx, orderId, customerId);
  const boxId = member.box_id;
  await query(
    tx,
    sql`select id from orders where id = ${boxId}::int or add_on_to_id = ${boxId}::int order by id for update`,
    Id,
  );
  const orders = await query(
    tx,
    sql`select ${editableColumns} from orders o join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        where (o.id = ${boxId}::int or o.add_on_to_id = ${boxId}::int) and o.status <> 'cancelled'
        order by o.add_on_to_id nulls first, o.created_at, o.id`,
    EditableOrder,
  );
  return { id: boxId, orders };
}

const BoxOrder = z.object({ id: z.number(), box_id: z.number(), status: z.string() });

function selectBoxOrders(orderIds: readonly number[]) {
  const boxes = sql`array(select coalesce(n.add_on_to_id, n.id) from orders n where n.id = any(${[...orderIds]}::int[]))`;
  return sql`select o.id, coalesce(o.add_on_to_id, o.id) as box_id, o.status from orders o
        where o.id = any(${boxes}) or o.add_on_to_id = any(${boxes}) order by o.id`;
}

/** All orders of the boxes that contain these orders, including cancelled ones, in id order. */
export const findBoxOrders = (db: Conn, orderIds: readonly number[]) => query(db, selectBoxOrders(orderIds), BoxOrder);

/** `findBoxOrders`, locked. */
export const lockBoxesOf = (tx: Conn, orderIds: readonly number[]) =>
  query(tx, sql`${selectBoxOrders(orderIds)} for update`, BoxOrder);

/**
 * Locks the open box that a checkout joins. The id of an order that was replaced by its add-on finds that add-on. Null: the
 * box is gone or closed. The caller holds `lockCustomerBoxes`.
 */
export const lockOpenBox = async (tx: Conn, orderId: number, customerId: CustomerId): Promise<number | null> =>
  (
    await queryOne(
      tx,
      sql`select b.id from orders b
          where b.id = (select coalesce(o.add_on_to_id, o.id) from orders o where o.id = ${orderId}::int and o.customer_id = ${customerId}::int)
            and b.status = 'open' for update`,
      Id,
    )
  )?.id ?? null;

/** Other live orders of the same box that have a delivery fee but no items, in id order. */
export const findFeeCarriers = async (tx: Conn, orderId: number): Promise<number[]> =>
  (
    await query(
      tx,
      sql`select o.id from orders given join orders o on o.id = coalesce(given.add_on_to_id, given.id) or o.add_on_to_id = coalesce(given.add_on_to_id, given.id)
          where given.id = ${orderId}::int and o.id <> given.id and o.status <> 'cancelled' and o.delivery_fee_cents > 0
            and not exists (select 1 from order_item i where i.order_id = o.id and i.quantity > 0)
          order by o.id`,
      Id,
    )
  ).map(({ id }) => id);

/**
 * Makes an add-on the first order of its box. It gets the box's type, address, pickup point and delivery notes, before its own; all other
 * orders of the box, including the former first order, become its add-ons (`docs/product.md` §17).
 */
export const promoteAddOn = (tx: Conn, boxId: number, addOnId: number) =>
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

const Promotions = z.object({
  code: z
    .object({ percent_ppm: z.number().nullable(), amount_cents: z.number().nullable(), minimum_cents: z.number() })
    .nullable(),
  has_referral: z.boolean(),
});

/**
 * The discount code and referral of an order that may move to another order. A code does not move to an order that has one;
 * neither moves while another order of the same checkout has a share of the discount.
 */
export const findMovablePromotions = (tx: Conn, fromId: number, toId: number) =>
  queryOne(
    tx,
    sql`with sibling as (
          select x.id from orders o join orders x on x.attempt_id = o.attempt_id and x.id <> o.id
          where o.id = ${fromId}::int and x.status <> 'cancelled' and x.discount_cents > 0)
        select (select jsonb_build_object('percent_ppm', c.percent_ppm, 'amount_cents', c.amount_cents, 'minimum_cents', c.minimum_cents)
            from discount_use u join discount_code c on c.id = u.discount_code_id
            where u.order_id = ${fromId}::int and not exists (select 1 from discount_use t where t.order_id = ${toId}::int)
              and not exists (select 1 from sibling) limit 1) as code,
          exists (select 1 from referral r where r.order_id = ${fromId}::int and r.credited_at is null)
            and not exists (select 1 from sibling) as has_referral`,
    Promotions,
  );

/** Moves the use of a discount code, of the referral, or both from one order to another. */
export const movePromotions = (
  tx: Conn,
  fromId: number,
  toId: number,
  moved: { isCodeMoved: boolean; isReferralMoved: boolean },
) =>
  execute(
    tx,
    sql`with codes as (update discount_use set order_id = ${toId}::int where order_id = ${fromId}::int and ${moved.isCodeMoved})
        update referral set order_id = ${toId}::int where order_id = ${fromId}::int and credited_at is null and ${moved.isReferralMoved}`,
  );
