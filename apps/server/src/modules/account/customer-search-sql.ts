import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import { escapeLike } from "../../lib/escape-like.ts";

/** The ids of customers by id, or by a part of email, name or phone (7 digits or more), the newest first. */
export async function searchCustomers(conn: Conn, text: string, most: number): Promise<number[]> {
  const part = `%${escapeLike(text.toLowerCase())}%`;
  const digits = text.replaceAll(/\D/g, "");
  const rows = await query(
    conn,
    sql`select id from customer
        where id::text = ${text} or email like ${part} or lower(first_name || ' ' || last_name) like ${part}
          or (length(${digits}) >= 7 and regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g') like '%' || ${digits})
        order by created_at desc, id desc limit ${most}::int`,
    z.object({ id: z.number() }),
  );
  return rows.map(({ id }) => id);
}
