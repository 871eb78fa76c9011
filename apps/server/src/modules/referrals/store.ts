import { type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../../lib/context.ts";

const FriendRow = z.object({
  first_name: z.string(),
  last_name: z.string(),
  is_ordered: z.boolean(),
  is_credited: z.boolean(),
});

/** The friends this customer referred, newest first. Friends whose referral was refused are listed like the others. */
export const findFriends = (db: Conn, customerId: CustomerId) =>
  query(
    db,
    sql`select c.first_name, c.last_name, r.credited_at is not null as is_credited,
          exists (select 1 from orders o where o.customer_id = c.id and o.status <> 'cancelled') as is_ordered
        from referral r join customer c on c.id = r.friend_id
        where r.referrer_id = ${customerId}::int order by r.created_at desc, r.friend_id desc`,
    FriendRow,
  );

export const findCredit = async (db: Conn, customerId: CustomerId): Promise<number> =>
  (
    await queryOne(
      db,
      sql`select credit_cents from customer where id = ${customerId}::int`,
      z.object({ credit_cents: z.number() }),
    )
  )?.credit_cents ?? 0;
