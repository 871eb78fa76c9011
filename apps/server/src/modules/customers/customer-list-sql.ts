import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { foundCustomers, isCustomerOf, parseCustomerSearch } from "../account/customer-search-sql.ts";

const Hub = z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() });

const Row = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  hub: Hub.nullable(),
  orders: z.number(),
  lastDay: z.string().nullable(),
  creditCents: z.number(),
  found: z.string().nullable(),
});

const CustomerList = z.object({ total: z.number(), rows: z.array(Row) });

interface ListFilter {
  text: string;
  /** The markets whose people the reader may see. */
  hubs: "all" | readonly number[];
  /** Slug or id; null: all of them. */
  hub: string | null;
  limit: number;
  offset: number;
}

/** A page of the people whom a text finds, newest first, and how many there are: one statement. */
export async function findCustomerList(conn: Conn, { text, hubs, hub, limit, offset }: ListFilter) {
  const seen = sql`${hubs === "all" ? null : [...hubs]}::int[]`;
  const filter = sql`(select array_agg(h.id) from hub h where (h.slug = ${hub} or h.id::text = ${hub}) and (${seen} is null or h.id = any(${seen})))`;
  const list = await queryOne(
    conn,
    sql`with market as materialized (select ${hub}::text is null as is_any, ${filter} as ids),
        people as materialized (
          select c.id, c.created_at, min(f.found) as found from (${foundCustomers(parseCustomerSearch(text), seen)}) f join customer c on c.id = f.id cross join market m
          where ${isCustomerOf(sql`c`, seen)} and (m.is_any or ${isCustomerOf(sql`c`, sql`coalesce(m.ids, '{}')`)})
          group by c.id, c.created_at),
        page as (select * from people order by created_at desc, id desc limit ${limit}::int offset ${offset}::int)
        select (select count(*)::int from people) as total,
          coalesce((select json_agg(json_build_object('id', c.id, 'name', trim(c.first_name || ' ' || c.last_name), 'email', coalesce(c.email, ''), 'phone', coalesce(c.phone, ''),
            'hub', (select json_build_object('id', h.id, 'slug', h.slug, 'name', h.name, 'timeZone', h.time_zone) from hub h where h.id = c.hub_id),
            'orders', b.orders, 'lastDay', b.last_day, 'creditCents', c.credit_cents, 'found', p.found) order by p.created_at desc, p.id desc)
          from page p join customer c on c.id = p.id cross join lateral (
            select count(*)::int as orders, to_char(max(d.day), 'YYYY-MM-DD') as last_day from orders o join delivery d on d.id = o.delivery_id
            where o.customer_id = c.id and o.add_on_to_id is null and o.status <> 'cancelled' and (${seen} is null or o.hub_id = any(${seen}))) b), '[]') as rows`,
    CustomerList,
  );
  return list!;
}
