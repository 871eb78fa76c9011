import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import { nameOf } from "./box-place-sql.ts";
import { isMatchingItem, type ItemFilter } from "./matching-items-sql.ts";

const RecalledItem = z.object({
  day: z.string(),
  hub: z.string(),
  order_id: z.number(),
  status: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  point: z.string().nullable(),
  address: z.record(z.string(), z.unknown()).nullable(),
  product: z.string(),
  variant: z.string(),
  units: z.number(),
});
/** Units of one item in one order, with how to reach the customer. */
export type RecalledItem = z.infer<typeof RecalledItem>;

/** Items that people get, or got, on delivery days from `from` to `to`, both included: the same as in the list of orders, without canceled ones. */
export const findRecalledItems = (
  db: Conn,
  which: ItemFilter & { from: string; to: string },
): Promise<RecalledItem[]> =>
  query(
    db,
    sql`select to_char(d.day, 'YYYY-MM-DD') as day, h.slug as hub, o.id as order_id, o.status, ${nameOf} as name, c.email, c.phone, pp.name as point, o.address,
          i.product_title as product, i.variant_title as variant, i.quantity as units
        from order_item i join orders o on o.id = i.order_id join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        left join customer c on c.id = o.customer_id left join pickup_point pp on pp.id = o.pickup_point_id
        where ${isMatchingItem(which)} and o.status <> 'cancelled' and d.day >= ${which.from}::date and d.day <= ${which.to}::date
        order by d.day, h.slug, o.id, i.id`,
    RecalledItem,
  );
