import { type Conn, join, query, queryOne, raw, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { boxNotes } from "./store.ts";

/** `lineName` of the domain as SQL, over the columns `product_title` and `variant_title` of a row. */
export const lineNameSql = (row: "" | "i.") =>
  raw(
    `${row}product_title || case when ${row}variant_title = ''
       or (right(lower(' ' || ${row}product_title), length(${row}variant_title) + 1) = lower(' ' || ${row}variant_title)
         and left(' ' || ${row}product_title, length(${row}product_title) + 2 - length(${row}variant_title)) !~* '(^|[ ,])(half|quarter|third|two|three|four|five|six|(?!1([.]0+)? [^0-9½¼¾⅓⅔])[0-9./½¼¾⅓⅔]+) .$')
       then '' else ', ' || ${row}variant_title end`,
  );

const ListRow = z.object({
  id: z.number(),
  hub: z.string(),
  day: z.string(),
  status: z.string(),
  type: z.string(),
  customer: z.string().nullable(),
  items: z.number(),
  order_total_cents: z.number(),
});
/** An order in an operator's list. */
export type OrderListRow = z.infer<typeof ListRow>;

export interface OrderFilter {
  /** Slug or id. */
  hub?: string;
  /** Delivery day, `YYYY-MM-DD`. */
  day?: string;
  status?: string;
  /** E-mail or id. */
  customer?: string;
  /** Part of a name, email, phone, order number, address or delivery note; any case. */
  find?: string;
  /** Slug of a product that is in the order. */
  product?: string;
  /** Slug of a vendor with something in the order. */
  vendor?: string;
  /** Only orders with a delivery note. */
  noted?: boolean;
  most: number;
}

/** `text` as a part, for `ilike`. */
const partOf = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** The conditions of a filter over order `o`, its hub `h`, delivery `d` and customer `c`. */
function conditionsOf({ hub, day, status, customer, find, product, vendor, noted }: OrderFilter): Sql[] {
  const conditions = [sql`true`];
  if (hub !== undefined) conditions.push(sql`(h.slug = ${hub} or h.id::text = ${hub})`);
  if (day !== undefined) conditions.push(sql`d.day = ${day}::date`);
  if (status !== undefined) conditions.push(sql`o.status = ${status}`);
  if (customer !== undefined) conditions.push(sql`(c.email = lower(${customer}) or c.id::text = ${customer})`);
  if (find !== undefined) {
    const part = partOf(find.trim());
    conditions.push(sql`concat_ws(chr(10), o.id::text, c.first_name || ' ' || c.last_name, c.email, c.phone, o.delivery_notes,
      o.address->>'address', o.address->>'city', o.address->>'zipCode') ilike ${part}`);
  }
  const isIn = (condition: Sql) =>
    conditions.push(
      sql`exists (select 1 from order_item i where i.order_id = o.id and i.quantity > 0 and ${condition})`,
    );
  if (product !== undefined)
    isIn(
      sql`i.variant_id in (select v.id from variant v join product p on p.id = v.product_id where p.slug = ${product})`,
    );
  if (vendor !== undefined) isIn(sql`i.vendor_id = (select id from vendor where slug = ${vendor})`);
  if (noted) conditions.push(sql`o.delivery_notes <> ''`);
  return conditions;
}

/** Orders for operators, the newest delivery day first. */
export const findOrders = (db: Conn, filter: OrderFilter): Promise<OrderListRow[]> =>
  query(
    db,
    sql`select o.id, h.slug as hub, to_char(d.day, 'YYYY-MM-DD') as day, o.status, o.type, c.email as customer,
          (select coalesce(sum(i.quantity), 0)::int from order_item i where i.order_id = o.id) as items, o.order_total_cents
        from orders o join hub h on h.id = o.hub_id join delivery d on d.id = o.delivery_id left join customer c on c.id = o.customer_id
        where ${join(conditionsOf(filter), " and ")}
        order by d.day desc, o.id limit ${filter.most}::int`,
    ListRow,
  );

const ItemRow = z.object({
  orderId: z.number(),
  variantId: z.number(),
  product: z.string(),
  variant: z.string(),
  unit: z.string().nullable(),
  quantity: z.number(),
  ordered: z.number(),
});
/** An item of an order: units as they are now and as they were ordered. */
export type OrderedItem = z.infer<typeof ItemRow>;

/** Items of these orders, including those taken off. */
export const findOrderItems = (db: Conn, orderIds: readonly number[]): Promise<OrderedItem[]> =>
  query(
    db,
    sql`select i.order_id as "orderId", i.variant_id as "variantId", max(i.product_title) as product, max(i.variant_title) as variant, max(v.unit) as unit,
          sum(i.quantity)::int as quantity, sum(i.quantity_ordered)::int as ordered
        from order_item i join variant v on v.id = i.variant_id where i.order_id = any(${[...orderIds]}::int[]) group by i.order_id, i.variant_id order by i.order_id, min(i.id)`,
    ItemRow,
  );

const RecalledRow = z.object({
  day: z.string(),
  hub: z.string(),
  order_id: z.number(),
  status: z.string(),
  /** Empty for a deleted account. */
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** The address, or the pickup point. */
  place: z.string(),
  item: z.string(),
  units: z.number(),
});
/** Units of one item in one order, with how to reach the customer. */
export type RecalledRow = z.infer<typeof RecalledRow>;

/**
 * Who gets or got a product, or anything of a vendor, on delivery days from `from` to `to` (`YYYY-MM-DD`, both included): without
 * canceled orders and units that were removed. Null: there is no such product or vendor.
 */
export async function findRecalled(
  db: Conn,
  which: { product: string | null; vendor: string | null; from: string; to: string },
): Promise<RecalledRow[] | null> {
  const { product, vendor, from, to } = which;
  const ofWhich = sql`(${product}::text is null or p.slug = ${product}) and (${vendor}::text is null or ve.slug = ${vendor})`;
  const known =
    product === null
      ? sql`select 1 from vendor ve where ve.slug = ${vendor}`
      : sql`select 1 from product p join vendor ve on ve.id = p.vendor_id where ${ofWhich}`;
  if ((await query(db, sql`${known} limit 1`)).length === 0) return null;
  return query(
    db,
    sql`select to_char(d.day, 'YYYY-MM-DD') as day, h.slug as hub, o.id as order_id, o.status,
          trim(concat_ws(' ', c.first_name, c.last_name)) as name, c.email, c.phone,
          coalesce(pp.name, concat_ws(', ', o.address->>'address', o.address->>'city', o.address->>'zipCode')) as place,
          ${lineNameSql("i.")} as item, i.quantity as units
        from order_item i join orders o on o.id = i.order_id join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        join variant v on v.id = i.variant_id join product p on p.id = v.product_id join vendor ve on ve.id = i.vendor_id
        left join customer c on c.id = o.customer_id left join pickup_point pp on pp.id = o.pickup_point_id
        where d.day between ${from}::date and ${to}::date and o.status <> 'cancelled' and i.quantity > 0 and ${ofWhich}
        order by d.day, h.slug, o.id, i.id`,
    RecalledRow,
  );
}

const WholeRow = z.object({ order: z.record(z.string(), z.unknown()) });

/** One order with its lines, amounts in cents, payment and audit entries. Null: it does not exist. */
export const findWholeOrder = async (db: Conn, orderId: number): Promise<Record<string, unknown> | null> =>
  (
    await queryOne(
      db,
      sql`select jsonb_build_object('id', o.id, 'status', o.status, 'hub', h.slug, 'timeZone', h.time_zone, 'day', d.day, 'cutoffAt', d.cutoff_at, 'type', o.type, 'source', o.source,
            'customer', case when c.id is null then null else jsonb_build_object('id', c.id, 'email', c.email, 'name', trim(c.first_name || ' ' || c.last_name), 'phone', c.phone) end,
            'address', o.address, 'pickupPoint', p.name, 'deliveryNotes', o.delivery_notes, 'boxNotes', (select ${boxNotes} from orders own join orders o on o.id = coalesce(own.add_on_to_id, own.id) where own.id = ${orderId}::int), 'addOnTo', o.add_on_to_id,
            'items', (select coalesce(jsonb_agg(jsonb_build_object('variantId', i.variant_id, 'title', ${lineNameSql("i.")},
               'vendor', v.slug, 'quantity', i.quantity, 'ordered', i.quantity_ordered, 'unitCents', i.unit_price_cents) order by i.id), '[]') from order_item i join vendor v on v.id = i.vendor_id where i.order_id = o.id),
            'itemsCents', o.items_cents, 'discountCents', o.discount_cents, 'tipCents', o.tip_cents, 'taxCents', o.tax_cents, 'cardFeeCents', o.card_fee_cents,
            'deliveryFeeCents', o.delivery_fee_cents, 'waivedCents', o.waived_cents, 'totalCents', o.order_total_cents, 'creditCents', o.credit_cents, 'writtenOffAt', o.written_off_at,
            'notCharged', case when o.charge_failed_at is null then null else jsonb_build_object('reason', o.charge_error, 'since', o.charge_failed_at,
              'tries', o.charge_tries, 'nextAt', o.charge_next_at) end,
            'payment', case when y.id is null then null else jsonb_build_object('provider', y.provider, 'state', y.state, 'capturedCents', y.captured_cents, 'refundedCents', y.refunded_cents) end,
            'disputes', (select coalesce(jsonb_agg(jsonb_build_object('ref', x.provider_ref, 'amountCents', x.amount_cents, 'status', x.status, 'reason', x.reason,
               'dueBy', x.due_by, 'closedAt', x.closed_at) order by x.created_at, x.provider_ref), '[]') from dispute x where x.payment_id = y.id),
            'refunds', (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'amountCents', r.amount_cents, 'destination', r.destination, 'state', r.state,
               'failure', r.failure, 'isResolved', r.resolved_at is not null, 'at', r.created_at, 'reason', r.reason) order by r.created_at, r.id), '[]') from refund r where r.order_id = o.id),
            'operations', (select coalesce(jsonb_agg(jsonb_build_object('at', a.created_at, 'who', a.actor, 'what', a.action, 'why', a.reason) order by a.id), '[]') from audit_entry a where a.subject = 'order:' || o.id)) as order
          from orders o join hub h on h.id = o.hub_id join delivery d on d.id = o.delivery_id left join customer c on c.id = o.customer_id
          left join pickup_point p on p.id = o.pickup_point_id left join payment y on y.id = o.payment_id where o.id = ${orderId}::int`,
      WholeRow,
    )
  )?.order ?? null;
