import { type AnyTx, execute, sql } from "@marketday/db";
import { orderTransitions, statesBefore } from "@marketday/domain/order";
import { z } from "zod";

import { isGiven, isGoodwill } from "../payments/refund-sql.ts";
import { SizeColumns, sizePairs } from "../products/size-sql.ts";

export const EditableOrder = z.object({
  id: z.number(),
  status: z.enum(["future", "open", "pending", "closed", "cancelled"]),
  hub_id: z.number(),
  cutoff_at: z.date(),
  tip_percentage: z.number(),
  tax_rate_ppm: z.number(),
  tip_cents: z.number(),
  tax_cents: z.number(),
  card_fee_cents: z.number(),
  delivery_fee_cents: z.number(),
  discount_cents: z.number(),
  waived_cents: z.number(),
  order_total_cents: z.number(),
  credit_cents: z.number(),
  /** Whether what is due is still to be charged to a card: not paid at the door, not captured yet. */
  is_for_card: z.boolean(),
  /** Given back for this order in addition to what it was lowered by: goodwill, by its bank, or in the provider's dashboard. */
  goodwill_cents: z.number(),
  payment_id: z.string().nullable(),
  processing_ppm: z.number(),
  processing_fixed_cents: z.number(),
  /** Whether the same box contains another order with items. */
  has_company: z.boolean(),
  /** When its units left the stock (`Taken`). */
  stock_mark: z.number().nullable(),
  created_at: z.date(),
  items: z.array(
    z.object({
      id: z.number(),
      variant_id: z.number(),
      vendor_id: z.number(),
      offer_id: z.number().nullable(),
      quantity: z.number(),
      unit_price_cents: z.number(),
      discount_cents: z.number(),
      tax_cents: z.number(),
      commission_ppm: z.number(),
      is_published: z.boolean(),
      product_title: z.string(),
      variant_title: z.string(),
      ...SizeColumns.shape,
    }),
  ),
});
export type EditableOrder = z.infer<typeof EditableOrder>;

/** An order `o` of delivery `d` and hub `h` as `EditableOrder`. */
export const editableColumns = sql`o.id, o.status, o.hub_id, d.cutoff_at, o.tip_percentage, o.tax_rate_ppm, o.tip_cents, o.tax_cents, o.card_fee_cents,
          o.delivery_fee_cents, o.discount_cents, o.waived_cents, o.order_total_cents, o.credit_cents,
          coalesce((select y.provider <> 'offline' and y.state <> 'captured' from payment y where y.id = o.payment_id), true) as is_for_card,
          coalesce((select sum(amount_cents)::int from refund r where r.order_id = o.id and ${isGoodwill(sql`r`)} and ${isGiven(sql`r`)}), 0) as goodwill_cents,
          o.payment_id::text as payment_id, h.processing_ppm, h.processing_fixed_cents,
          exists (select 1 from orders a where (a.id = coalesce(o.add_on_to_id, o.id) or a.add_on_to_id = coalesce(o.add_on_to_id, o.id))
            and a.id <> o.id and a.status <> 'cancelled'
            and exists (select 1 from order_item x where x.order_id = a.id and x.quantity > 0)) as has_company,
          (select a.stock_mark from checkout_attempt a where a.id = o.attempt_id) as stock_mark, o.created_at,
          (select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'variant_id', i.variant_id, 'vendor_id', i.vendor_id, 'offer_id', f.id,
               'quantity', i.quantity, 'unit_price_cents', i.unit_price_cents, 'discount_cents', i.discount_cents, 'tax_cents', i.tax_cents,
               'commission_ppm', i.commission_ppm, 'is_published', coalesce(f.is_published and p.is_published, false),
               'product_title', i.product_title, 'variant_title', i.variant_title, ${sizePairs}) order by i.id), '[]')
           from order_item i
           join variant v on v.id = i.variant_id
           join product p on p.id = v.product_id
           left join offer f on f.variant_id = i.variant_id and f.hub_id = o.hub_id
           where i.order_id = o.id and i.quantity > 0) as items`;

export interface EditedItem {
  id: number;
  quantity: number;
  discountCents: number;
  taxCents: number;
}

export interface EditedTotals {
  itemsCents: number;
  tipCents: number;
  taxCents: number;
  cardFeeCents: number;
  deliveryFeeCents: number;
  discountCents: number;
  waivedCents: number;
  orderTotalCents: number;
  creditCents: number;
}

/** Updates lines and totals; a deleted order is kept as cancelled (docs/product.md §8). */
export async function writeEdit(
  tx: AnyTx,
  orderId: number,
  items: readonly EditedItem[],
  totals: EditedTotals,
  isDeleted: boolean,
  now: Date,
): Promise<void> {
  await execute(
    tx,
    sql`with edited as (select * from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as e (id int, quantity int, "discountCents" int, "taxCents" int)),
        lines as (
          update order_item i set quantity = e.quantity, discount_cents = e."discountCents", tax_cents = e."taxCents"
          from edited e where i.id = e.id and i.order_id = ${orderId}::int)
        update orders set items_cents = ${totals.itemsCents}::int, tip_cents = ${totals.tipCents}::int, tax_cents = ${totals.taxCents}::int,
          card_fee_cents = ${totals.cardFeeCents}::int, delivery_fee_cents = ${totals.deliveryFeeCents}::int,
          discount_cents = ${totals.discountCents}::int, waived_cents = ${totals.waivedCents}::int, order_total_cents = ${totals.orderTotalCents}::int, credit_cents = ${totals.creditCents}::int,
          edited_at = ${now}, status = case when ${isDeleted} and status = any(${statesBefore(orderTransitions, "cancelled")}::text[]) then 'cancelled' else status end,
          cancelled_at = case when ${isDeleted} then ${now}::timestamptz else cancelled_at end
        where id = ${orderId}::int`,
  );
}
