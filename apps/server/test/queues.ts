import { type Db, execute, openQueues, type QueueName, type Queues, sql } from "@marketday/db";

import type { TestClock } from "./clock.ts";

/** Queues whose jobs are due by the test's clock; the others use Postgres's clock. */
const BY_TEST_CLOCK = new Set<string>(["auto-checkout"] satisfies QueueName[]);

/** The queues of a test server. */
export async function testQueues(db: Db, clock: TestClock): Promise<Queues> {
  await execute(
    db,
    sql`create or replace function pgboss.job_now() returns timestamptz language sql stable as
        $$ select coalesce(nullif(current_setting('pgboss.test_clock', true), '')::timestamptz, pg_catalog.now()) $$`,
  );
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
