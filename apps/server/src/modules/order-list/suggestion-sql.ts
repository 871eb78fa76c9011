import { type Conn, query, type Sql, sql } from "@marketday/db";
import type { OrderTokenName } from "@marketday/domain/order-query";
import { z } from "zod";

import { escapeLike } from "../../lib/escape-like.ts";
import { type HubScope, inScope, meets } from "../today/hub-filter-sql.ts";

const Suggestion = z.object({ value: z.string(), title: z.string(), detail: z.string() });
export type Suggestion = z.infer<typeof Suggestion>;

/** Hubs whose orders, and whose people, the person may read. */
export interface SuggestionScope {
  orders: HubScope;
  people: HubScope;
}

const MOST = 8;

/** For each token whose values are stored: rows of `value`, `title` and `detail` that contain `part`, best first. */
const SOURCES: Partial<
  Record<OrderTokenName, (part: string, start: string, scope: SuggestionScope, now: Date) => Sql>
> = {
  hub: (part, start, { orders }) => sql`
        select h.slug as value, h.name as title, h.city || ', ' || h.state as detail from hub h
        where ${meets(sql`h`, { scope: orders, hub: null })} and (h.name ilike ${part} or h.slug ilike ${part} or h.city ilike ${part})
        order by h.name ilike ${start} desc, h.name`,
  vendor: (part, start) => sql`
        select v.slug as value, v.name as title, v.city || ', ' || v.state as detail from vendor v where v.name ilike ${part} or v.slug ilike ${part}
        order by v.name ilike ${start} desc, v.name, v.id`,
  product: (part, start, { orders }) => sql`
        select p.slug as value, p.title, v.name as detail from product p join vendor v on v.id = p.vendor_id
        where (p.title ilike ${part} or p.slug ilike ${part})
          and ${orders === "all" ? sql`true` : sql`exists (select 1 from variant x join offer f on f.variant_id = x.id where x.product_id = p.id and ${inScope(sql`f.hub_id`, orders)})`}
        order by p.title ilike ${start} desc, p.title, p.id`,
  point: (part, start, { orders }) => sql`
        select p.name as value, p.name as title, string_agg(h.name, ', ' order by h.name) as detail from pickup_point p join hub h on h.id = p.hub_id
        where ${inScope(sql`p.hub_id`, orders)} and p.name ilike ${part} group by p.name order by p.name ilike ${start} desc, p.name`,
  day: (_, start, { orders }, now) => sql`
        select to_char(d.day, 'YYYY-MM-DD') as value, to_char(d.day, 'YYYY-MM-DD') as title, case when count(*) > 3 then count(*) || ' markets' else string_agg(h.name, ', ' order by h.name) end as detail
        from delivery d join hub h on h.id = d.hub_id
        where ${inScope(sql`d.hub_id`, orders)} and to_char(d.day, 'YYYY-MM-DD') like ${start}
        group by d.day order by abs(d.day - (${now}::timestamptz at time zone 'UTC')::date), d.day desc`,
  customer: (part, start, { orders, people }) => sql`
        select c.id::text as value, trim(c.first_name || ' ' || c.last_name) as title, case when ${inScope(sql`c.hub_id`, people)} then coalesce(c.email, '') else '' end as detail
        from customer c
        where c.deleted_at is null and ((c.first_name || ' ' || c.last_name) ilike ${part} or (${inScope(sql`c.hub_id`, people)} and c.email ilike ${part}))
          and (${inScope(sql`c.hub_id`, orders)} or exists (select 1 from orders o where o.customer_id = c.id and ${inScope(sql`o.hub_id`, orders)}))
        order by (c.first_name || ' ' || c.last_name) ilike ${start} desc, title, c.id`,
};

/** Values of a token that contain a text, best first; none for a token whose values are a fixed list, or a number. */
export async function findSuggestions(
  db: Conn,
  token: OrderTokenName,
  text: string,
  scope: SuggestionScope,
  now: Date,
): Promise<Suggestion[]> {
  const source = SOURCES[token];
  if (!source) return [];
  const typed = escapeLike(text.trim());
  return query(db, sql`${source(`%${typed}%`, `${typed}%`, scope, now)} limit ${MOST}::int`, Suggestion);
}
