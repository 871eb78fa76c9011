import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { Page } from "../../lib/paging.ts";
import { boughtBy } from "../favorites/favorite-sql.ts";
import type { CustomerId } from "../identity/context.ts";
import { isListed } from "../vendors/vendor-sql.ts";

const IdsRow = z.object({ total: z.number(), ids: z.array(z.number()) });

/** A page of products that the hub sells and the customer ordered but does not subscribe to, most orders first, without pre-orders. */
export async function findRecommended(db: Conn, customerId: CustomerId, hubId: number, { offset, rows }: Page) {
  const row = await queryOne(
    db,
    sql`with bought as (${boughtBy(customerId)}),
        fitting as (
          select b.* from bought b join product p on p.id = b.id and p.is_published join vendor ve on ve.id = p.vendor_id and ve.is_published
          where ${isListed(hubId)}
            and not exists (select 1 from subscription s join variant x on x.id = s.variant_id where s.customer_id = ${customerId}::int and x.product_id = p.id)
            and not exists (select 1 from variant x where x.product_id = p.id and x.pre_order_date is not null))
        select (select count(*)::int from fitting) as total,
          coalesce((select array_agg(t.id order by t.orders desc, t.latest desc, t.id) from (
            select * from fitting order by orders desc, latest desc, id limit ${rows}::int offset ${offset}::int) t), '{}') as ids`,
    IdsRow,
  );
  return row!;
}
