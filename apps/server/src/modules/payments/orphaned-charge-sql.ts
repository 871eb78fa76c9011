import { type Conn, query, sql } from "@marketday/db";
import { Minute, Second } from "@marketday/domain/time";
import { z } from "zod";

const SOONEST_MS = 20 * Second.ms;
const LATEST_MS = 10 * Minute.ms;
const AT_ONCE = 50;

const DueLook = z.object({
  id: z.string(),
  customer_id: z.number().nullable(),
  state: z.string(),
  charge_key: z.string(),
  next_key: z.string().nullable(),
  unseen_since: z.date(),
});
export type DueLook = z.infer<typeof DueLook>;

/** Claims the payments to look up. The next time is written with the claim, so that one server looks them up and a killed one is followed by another. */
export const claimLooks = (db: Conn, now: Date): Promise<DueLook[]> =>
  query(
    db,
    sql`update payment p set look_again_at = ${now}::timestamptz + greatest(make_interval(secs => ${SOONEST_MS / 1000}),
          least(make_interval(secs => ${LATEST_MS / 1000}), (${now}::timestamptz - p.unseen_since) / 2))
        where p.id = any(array(select id from payment where look_again_at <= ${now} order by look_again_at limit ${AT_ONCE}::int for update skip locked))
        returning p.id::text as id, p.customer_id, p.state, p.charge_key::text as charge_key, p.next_key::text as next_key, p.unseen_since`,
    DueLook,
  );
