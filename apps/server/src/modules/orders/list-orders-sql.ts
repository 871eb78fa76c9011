import { type Conn, join, query, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { escapeLike } from "../../lib/escape-like.ts";
import { collectCents, isPacked } from "./box-state-sql.ts";

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
  /** Only closed and packed orders of which something is to be collected at the door. */
  owing?: boolean;
  most: number;
}

/** `text` as a part, for `ilike`. */
const partOf = (text: string): string => `%${escapeLike(text)}%`;

/** The conditions of a filter over order `o`, its hub `h`, delivery `d` and customer `c`. */
function conditionsOf({ hub, day, status, customer, find, product, vendor, noted, owing }: OrderFilter): Sql[] {
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
  if (owing)
    conditions.push(
      sql`o.status in ('pending', 'closed') and ${isPacked(sql`o`)}
        and (select ${collectCents} from (select 1) any_payment left join payment y on y.id = o.payment_id) > 0`,
    );
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
