import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { hasActivePass } from "../wagon-pass/pass-sql.ts";

/** Those of these deliveries whose auto-checkout runs while the customer has a wagon pass. */
export const findPassDays = async (
  db: Conn,
  customerId: CustomerId,
  deliveryIds: readonly number[],
  now: Date,
): Promise<number[]> =>
  (
    await query(
      db,
      sql`select d.id from delivery d join hub h on h.id = d.hub_id where d.id = any(${[...deliveryIds]}::int[])
            and ${hasActivePass(sql`${customerId}::int`, sql`greatest(${now}::timestamptz, d.auto_checkout_at) at time zone h.time_zone`)}`,
      z.object({ id: z.number() }),
    )
  ).map(({ id }) => id);
