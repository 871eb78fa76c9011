import { type Conn, execute, sql } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";
import type { StoredChoice, PlannedOrder } from "./plan.ts";

export interface OrderToInsert extends PlannedOrder {
  id: number;
  status: "open" | "future";
}

export interface PlacedFor {
  attemptId: string;
  customerId: CustomerId;
  hubId: number;
  source: "checkout" | "auto";
  choice: StoredChoice;
  paymentId: string | null;
  now: Date;
}

/** Inserts the orders and their lines, in two statements in total. */
export async function insertOrders(tx: Conn, orders: readonly OrderToInsert[], context: PlacedFor): Promise<void> {
  const { choice } = context;
  await execute(
    tx,
    sql`insert into orders (id, attempt_id, attempt_part, customer_id, hub_id, delivery_id, add_on_to_id, status, type, source, pickup_point_id,
          address, delivery_notes, tip_percentage, items_cents, tip_cents, tax_cents, tax_rate_ppm, card_fee_cents, delivery_fee_cents,
          discount_cents, waived_cents, order_total_cents, credit_cents, payment_id, created_at)
        select o.id, ${context.attemptId}::uuid, o.part, ${context.customerId}::int, ${context.hubId}::int, o."deliveryId", o."joinsOrderId", o.status, ${choice.type},
          ${context.source}, ${choice.pickupPointId}::int, ${choice.address === null ? null : JSON.stringify(choice.address)}::jsonb,
          ${choice.deliveryNotes}, ${choice.tipPercentage}::int, o."itemsCents", o."tipCents", o."taxCents", o."taxRatePpm", o."cardFeeCents",
          o."deliveryFeeCents", o."discountCents", o."waivedCents", o."orderTotalCents", o."creditCents", ${context.paymentId}::uuid, ${context.now}
        from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as o (id int, part int, "deliveryId" int, "joinsOrderId" int, status text,
          "itemsCents" int, "tipCents" int, "taxCents" int, "taxRatePpm" int, "cardFeeCents" int, "deliveryFeeCents" int, "discountCents" int,
          "waivedCents" int, "orderTotalCents" int, "creditCents" int)`,
  );
  const lines = orders.flatMap((order) => order.lines.map((line) => ({ ...line, orderId: order.id })));
  await execute(
    tx,
    sql`insert into order_item (order_id, variant_id, bundle_id, vendor_id, product_title, variant_title, quantity, quantity_ordered,
          list_price_cents, sale_price_cents, unit_price_cents, discount_cents, tax_cents, commission_ppm, subscription_interval)
        select l."orderId", l."variantId", l."bundleId", l."vendorId", l."productTitle", l."variantTitle", l.quantity, l.quantity,
          l."listPriceCents", l."salePriceCents", l."unitCents", l."discountCents", l."taxCents", l."commissionPpm", l."subscriptionInterval"
        from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l ("orderId" int, "variantId" int, "bundleId" int, "vendorId" int,
          "productTitle" text, "variantTitle" text, quantity int, "listPriceCents" int, "salePriceCents" int, "unitCents" int,
          "discountCents" int, "taxCents" int, "commissionPpm" int, "subscriptionInterval" int)`,
  );
}

/**
 * Deletes the attempt's holds, whose units the orders now have, and removes the bought quantities from the cart; units added
 * since stay. Subscriptions to bought items are marked as ordered for the delivery day, and the remaining quantity of their
 * lines is no longer a subscription (docs/product.md §9).
 */
export async function emptyHoldsAndCart(tx: Conn, attemptId: string, orders: readonly PlannedOrder[]): Promise<void> {
  const bought = orders.flatMap((order) =>
    order.lines.flatMap((line) => (line.cartItemId === null ? [] : [{ id: line.cartItemId, quantity: line.quantity }])),
  );
  const ordered = orders.flatMap((order) =>
    order.lines.map(({ variantId, bundleId }) => ({ variantId, bundleId, day: order.day })),
  );
  await execute(
    tx,
    sql`with bought as (select * from jsonb_to_recordset(${JSON.stringify(bought)}::jsonb) as b (id int, quantity int)),
        ordered as (
          select o.*, a.customer_id from checkout_attempt a, jsonb_to_recordset(${JSON.stringify(ordered)}::jsonb) as o ("variantId" int, "bundleId" int, day date)
          where a.id = ${attemptId}::uuid),
        products as (
          update subscription s set last_day = greatest(s.last_day, o.day)
          from (select customer_id, "variantId", max(day) as day from ordered group by customer_id, "variantId") o
          where s.customer_id = o.customer_id and s.variant_id = o."variantId"),
        bundles as (
          update bundle_subscription s set last_day = greatest(s.last_day, o.day)
          from (select customer_id, "bundleId", max(day) as day from ordered where "bundleId" is not null group by customer_id, "bundleId") o
          where s.customer_id = o.customer_id and s.bundle_id = o."bundleId"),
        released as (delete from stock_hold where attempt_id = ${attemptId}::uuid),
        code_off as (update cart set discount_code_id = null, version = version + 1, ordered_version = version + 1 where id in (select cart_id from checkout_attempt where id = ${attemptId}::uuid))
        -- Decided by the row as it is when it is locked, not as this statement first saw it.
        merge into cart_item ci using bought b on ci.id = b.id
        when matched and ci.quantity <= b.quantity then delete
        when matched then update set quantity = ci.quantity - b.quantity, subscription_interval = null`,
  );
}

/** Deducts store credit. False when the balance is too low. */
export async function spendCredit(tx: Conn, customerId: CustomerId, amountCents: number): Promise<boolean> {
  return (
    (await execute(
      tx,
      sql`update customer set credit_cents = credit_cents - ${amountCents}::int where id = ${customerId}::int and credit_cents >= ${amountCents}::int`,
    )) === 1
  );
}

/** Records one use of a discount code. False when it is used up, or this customer has already used it (failures.md K1). */
export async function redeemDiscountCode(
  tx: Conn,
  codeId: number,
  customerId: CustomerId,
  orderId: number,
  now: Date,
): Promise<boolean> {
  return (
    (await execute(
      tx,
      sql`with used as (
            update discount_code set uses = uses + 1
            where id = ${codeId}::int and (use_limit is null or uses < use_limit)
              and not (once_per_customer and exists (select 1 from discount_use where discount_code_id = ${codeId}::int and customer_id = ${customerId}::int))
            returning id, once_per_customer)
          insert into discount_use (discount_code_id, customer_id, order_id, once, created_at)
          select id, ${customerId}::int, ${orderId}::int, once_per_customer, ${now} from used`,
    )) === 1
  );
}

/** Redeems the referred friend's 20.00 discount. False when another order has redeemed it (failures.md K5). */
export async function redeemReferral(tx: Conn, customerId: CustomerId, orderId: number): Promise<boolean> {
  return (
    (await execute(
      tx,
      sql`update referral set order_id = ${orderId}::int where friend_id = ${customerId}::int and order_id is null and refused is null`,
    )) === 1
  );
}
