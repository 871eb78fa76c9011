import { type Db, execute, query, type QueueName, sql } from "@marketday/db";
import { z } from "zod";

/** Makes the retries of a queue due now. */
export const endPauses = (db: Db, queue: QueueName): Promise<number> =>
  execute(db, sql`update pgboss.job set start_after = now() where name = ${queue} and state = 'retry'`);

/** The seconds until each message that was not accepted is retried, oldest first. */
export async function pausesOf(db: Db, queue: QueueName): Promise<number[]> {
  const rows = await query(
    db,
    sql`select extract(epoch from start_after - clock_timestamp())::float8 as seconds from pgboss.job
        where name = ${queue} and state = 'retry' order by created_on`,
    z.object({ seconds: z.number() }),
  );
  return rows.map(({ seconds }) => seconds);
}

/** Expires the active jobs of a queue, as if their worker had died a minute ago. */
export const senderDied = (db: Db, queue: QueueName): Promise<number> =>
  execute(
    db,
    sql`with held as (
          update pgboss.job set started_on = now() - interval '61 seconds' where name = ${queue} and state = 'active')
        update pgboss.queue set monitor_on = null, monitor_claim_on = null where name = ${queue}`,
  );
