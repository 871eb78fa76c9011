import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import { boxVersion } from "../orders/box-version-sql.ts";

const SelectedRow = z.object({
  id: z.number(),
  hub_id: z.number(),
  hub: z.string(),
  time_zone: z.string(),
  delivery_id: z.number(),
  /** `YYYY-MM-DD` */
  day: z.string(),
  /** Who gets its emails; null: the account was deleted, or has no address. */
  customer_id: z.number().nullable(),
  /** Empty when the account was deleted. */
  name: z.string(),
  version: z.string(),
  /** The selected orders that are in it. */
  selected: z.array(z.number()),
});
/** A box with some selected order. */
export type SelectedRow = z.infer<typeof SelectedRow>;

/** The boxes of these orders, in id order: hand-written, because a box's version is a hash that Postgres makes. */
export const findSelectedBoxes = (db: Conn, orderIds: readonly number[]): Promise<SelectedRow[]> =>
  query(
    db,
    sql`with picked as (
          select coalesce(n.add_on_to_id, n.id) as box_id, array_agg(n.id order by n.id) as selected
          from orders n where n.id = any(${[...orderIds]}::int[]) group by 1)
        select b.id, b.hub_id, h.name as hub, h.time_zone, b.delivery_id, to_char(d.day, 'YYYY-MM-DD') as day,
          case when c.deleted_at is null and c.email is not null then c.id end as customer_id,
          case when c.id is null or c.deleted_at is not null then '' else trim(c.first_name || ' ' || c.last_name) end as name,
          ${boxVersion(sql`b.id`)} as version, s.selected
        from picked s join orders b on b.id = s.box_id join hub h on h.id = b.hub_id join delivery d on d.id = b.delivery_id
        left join customer c on c.id = b.customer_id order by b.id`,
    SelectedRow,
  );
