import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import type { Page } from "../../lib/paging.ts";
import type { CustomerId } from "../identity/context.ts";
import { isListed, vendorColumns, VendorRow } from "../vendors/vendor-sql.ts";

const IdsRow = z.object({ total: z.number(), ids: z.array(z.number()) });
type Ids = z.infer<typeof IdsRow>;

/** A page of the customer's published favorites: those the hub lists first, then the newest. */
export async function findFavorites(
  conn: Conn,
  customerId: CustomerId,
  hubId: number | null,
  { offset, rows }: Page,
): Promise<Ids> {
  const hearts = sql`
    select p.id, f.created_at from favorite_product f join product p on p.id = f.product_id join vendor v on v.id = p.vendor_id
    where f.customer_id = ${customerId}::int and p.is_published and v.is_published`;
  const row = await queryOne(
    conn,
    sql`select (select count(*)::int from (${hearts}) t) as total,
          coalesce((select array_agg(t.id order by t.place) from (
            select p.id, row_number() over (order by ${isListed(hubId)} desc, p.created_at desc, p.id desc) as place from (${hearts}) p
            order by place limit ${rows}::int offset ${offset}::int) t), '{}') as ids`,
    IdsRow,
  );
  return row!;
}

/** The products that a customer ordered, the number of their orders and the latest. Cancelled orders and removed lines do not count. */
export const boughtBy = (customerId: CustomerId): Sql => sql`
  select x.product_id as id, count(distinct o.id) as orders, max(o.created_at) as latest
  from orders o join order_item i on i.order_id = o.id and i.quantity > 0 join variant x on x.id = i.variant_id
  where o.customer_id = ${customerId}::int and o.status <> 'cancelled' group by x.product_id`;

/**
 * A page of the products the customer ordered: those the hub lists first, then by the number of orders, the latest first among
 * equals.
 */
export async function findMostOrdered(
  conn: Conn,
  customerId: CustomerId,
  hubId: number | null,
  { offset, rows }: Page,
): Promise<Ids> {
  const row = await queryOne(
    conn,
    sql`with bought as (${boughtBy(customerId)}),
        ordered as (
          select b.*, ${isListed(hubId)} as listed from bought b join product p on p.id = b.id and p.is_published
          join vendor v on v.id = p.vendor_id and v.is_published)
        select (select count(*)::int from ordered) as total,
          coalesce((select array_agg(t.id order by t.listed desc, t.orders desc, t.latest desc, t.id) from (
            select * from ordered order by listed desc, orders desc, latest desc, id limit ${rows}::int offset ${offset}::int) t), '{}') as ids`,
    IdsRow,
  );
  return row!;
}

/** Vendors in the order of the ids; products are counted in the hub. */
export async function findVendorsById(conn: Conn, hubId: number | null, ids: readonly number[]): Promise<VendorRow[]> {
  return query(
    conn,
    sql`select ${vendorColumns(hubId)} from vendor v where v.id = any(${[...ids]}::int[]) order by array_position(${[...ids]}::int[], v.id)`,
    VendorRow,
  );
}
