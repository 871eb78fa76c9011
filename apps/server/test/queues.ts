import {
  type Db,
  execute,
  MOVABLE_JOB_CLOCK,
  openQueues,
  poolOf,
  query,
  type QueueName,
  type Queues,
  sql,
} from "@marketday/db";

import type { TestClock } from "./clock.ts";

/** Queues whose jobs are due by the test's clock; the others use Postgres's clock. */
const BY_TEST_CLOCK = new Set<string>(["auto-checkout", "charge", "charge-stopped"] satisfies QueueName[]);

/** The queues of a test server. */
export async function testQueues(db: Db, clock: TestClock): Promise<Queues> {
  // A database from the template has it already; the role of a server may not create it.
  const [found] = await query<{ isReady: boolean }>(
    db,
    sql`select prosrc like '%movable_clock%' as "isReady" from pg_proc where oid = to_regproc('pgboss.job_now')`,
  );
  // Two commands, which a prepared statement cannot have.
  if (!found?.isReady) await poolOf(db).query(MOVABLE_JOB_CLOCK);
  const [real, test] = [openQueues(db), openQueues(db, clock.now)];
  const of = (queue: unknown) => (BY_TEST_CLOCK.has(String(queue)) ? test : real);
  return {
    fetch: ((...args: [string]) => of(args[0]).fetch(...args)) as Queues["fetch"],
    complete: (queue, ...rest) => of(queue).complete(queue, ...rest),
    fail: (queue, ...rest) => of(queue).fail(queue, ...rest),
    update: ((...args: [string, undefined]) => of(args[0]).update(...args)) as Queues["update"],
    async supervise(queue) {
      // Another test may have supervised at a later time.
      if (of(queue) === test)
        await execute(
          db,
          sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null, maintain_on = null where name = ${queue}`,
        );
      await of(queue).supervise(queue);
    },
  };
}
