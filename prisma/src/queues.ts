import type pg from "pg";
import { fromPrisma, getConstructionPlans, getMigrationPlans, PgBoss, type Queue } from "pg-boss";
import boss from "pg-boss/package.json" with { type: "json" };

import { type AnyTx, type Db, SqlTx } from "./conn.ts";
import { withClient } from "./pool.ts";
import { poolOf } from "./query.ts";
import { raw, type Sql, sql, statementName } from "./statement.ts";

/** The schema of pg-boss's tables. Its jobs can be created again from our rows at any time. */
const SCHEMA = "pgboss";

/**
 * Options of the queues of outgoing messages; seconds. A job names a row; at most one job of a row waits or runs
 * (`exclusive`). A failed try is repeated after 1, 2, 4 … at most 300 s (failures.md E2); a sender that dies holds a job for
 * 60 s. Retries do not end: a message is deleted when it is of no use any more.
 */
const messages = {
  policy: "exclusive",
  expireInSeconds: 60,
  retryLimit: 100_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 3_600,
} as const satisfies Omit<Queue, "name">;

/**
 * Options of queue `auto-checkout`; seconds. A server that dies holds a job for 60 s, then the job is free at once; the pauses
 * after failed tries are set by the worker. After three tries that failed or died, the job is a dead letter.
 */
const autoCheckout = {
  policy: "exclusive",
  expireInSeconds: 60,
  retryLimit: 2,
  retryDelay: 0,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 86_400,
} as const satisfies Omit<Queue, "name">;

/**
 * Options of queue `charge`; seconds. A job expires after more than authorizing and capturing one charge may take, then it is
 * free at once. After three tries that died or failed without a result, its copy in `charge-stopped` sets the order aside.
 */
const charge = {
  policy: "exclusive",
  expireInSeconds: 110,
  retryLimit: 2,
  retryDelay: 0,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 3_600,
  deadLetter: "charge-stopped",
} as const satisfies Omit<Queue, "name">;

/**
 * `mail`: rows of `mail`. `identify`: rows of `identify_event`. `auto-checkout`: rows of `auto_checkout_result`. `charge`: closed
 * orders that are to be charged, one job for each charge. A queue is after the queue of its dead letters.
 */
const queues = {
  mail: messages,
  identify: messages,
  "auto-checkout": autoCheckout,
  "charge-stopped": messages,
  charge,
} as const satisfies Record<string, Omit<Queue, "name">>;
export type QueueName = keyof typeof queues;

/** The data of a message's job: its row. */
export interface JobOf {
  id: number;
}

/** Fetches and settles jobs: pg-boss on the database's connections, without timers. */
export interface Queues extends Pick<PgBoss, "fetch" | "update" | "supervise"> {
  complete(...args: Parameters<PgBoss["complete"]>): Promise<Settled>;
  fail(...args: Parameters<PgBoss["fail"]>): Promise<Settled>;
}
/** Missing in pg-boss's types. `affected` is 0 when the job expired and was taken over by another worker. */
interface Settled {
  affected: number;
}

type ExecuteSql = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

const bossOn = (executeSql: ExecuteSql): PgBoss =>
  new PgBoss({
    db: { executeSql },
    schema: SCHEMA,
    migrate: false,
    supervise: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    monitorIntervalSeconds: 30,
  });

/** Statements with values are prepared under a name, so that only their values are sent the second time. */
const statement = (text: string, values?: unknown[]) => {
  const name = values?.length ? statementName(text) : undefined;
  return { ...(name && { name }), text, ...(values && { values }) };
};

/**
 * SQL, two commands, for a database of tests or of a rehearsal: pg-boss takes the time from the setting `pgboss.movable_clock`, if
 * a connection sets it. It subtracts Postgres's own time from how long jobs are kept, so they are kept for fifty years.
 */
export const MOVABLE_JOB_CLOCK = `create or replace function ${SCHEMA}.job_now() returns timestamptz language sql stable as
  $$ select coalesce(nullif(current_setting('pgboss.movable_clock', true), '')::timestamptz, pg_catalog.now()) $$;
  update ${SCHEMA}.queue set retention_seconds = 50 * 31536000`;

/**
 * Opens the queues of a migrated database. Nothing runs automatically: `fetch` takes what may run now, `supervise` releases
 * the jobs of dead workers and deletes old jobs.
 * @param clock the time by which jobs are due, where the database has `MOVABLE_JOB_CLOCK`; default: Postgres's
 */
export const openQueues = (db: Db, clock?: () => Date): Queues =>
  bossOn((text, values) =>
    withClient(poolOf(db), async (client) => {
      if (!clock) return client.query(statement(text, values));
      await client.query("select set_config('pgboss.movable_clock', $1, false)", [clock().toISOString()]);
      try {
        return await client.query(text, values);
      } finally {
        await client.query("reset pgboss.movable_clock");
      }
    }),
  ) as PgBoss & Queues;

/** The option of a call to `Queues` that makes it part of a transaction. */
export const inTransaction = (tx: AnyTx) => ({
  db:
    tx instanceof SqlTx
      ? { executeSql: (text: string, values?: unknown[]) => tx.client.query(statement(text, values)) }
      : fromPrisma(tx),
});

/**
 * The statement that inserts jobs into a queue: they exist with the commit of its transaction, or not at all. A key that has a
 * job keeps it.
 * @param jobs a query with the columns `key` text, `data` jsonb, `start_after` timestamptz, `retry_limit` int (null: the queue's)
 * @param priority jobs of a higher one are fetched first
 */
export const insertJobs = (queue: QueueName, jobs: Sql, priority = 0): Sql =>
  sql`insert into ${raw(SCHEMA)}.job (name, data, singleton_key, priority, start_after, policy, keep_until, expire_seconds, deletion_seconds,
        retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter)
      select q.name, jobs.data, jobs.key, ${priority}::int, jobs.start_after, q.policy, jobs.start_after + q.retention_seconds * interval '1 second',
        q.expire_seconds, q.deletion_seconds, coalesce(jobs.retry_limit, q.retry_limit), q.retry_delay, q.retry_backoff, q.retry_delay_max, q.dead_letter
      from (${jobs}) jobs join ${raw(SCHEMA)}.queue q on q.name = ${queue}
      on conflict do nothing returning 1`;

/** The statement by which the waiting jobs of these keys start at `at`, if they would start later. `keys`: texts, the inside of `in (…)`. */
export const bringForward = (queue: QueueName, keys: Sql, at: Sql): Sql =>
  sql`update ${raw(SCHEMA)}.job j set start_after = ${at}
      where j.name = ${queue} and coalesce(j.singleton_key, '') in (${keys}) and j.state < 'active' and j.start_after > ${at}`;

/**
 * The statement that enqueues messages, for the `with` of the statement that writes their rows.
 * @param rows a query with the column `id`, the rows' numbers
 */
export const enqueued = (queue: QueueName, rows: Sql): Sql =>
  insertJobs(
    queue,
    sql`select jsonb_build_object('id', handed.id) as data, handed.id::text as key, now() as start_after, null::int as retry_limit
        from (${rows}) handed`,
  );

/** `from … where …` of the job `j` of a key, waiting or running; at most one. `key`: an expression. */
export const liveJob = (queue: QueueName, key: Sql): Sql =>
  sql`from ${raw(SCHEMA)}.job j where j.name = ${queue} and coalesce(j.singleton_key, '') = (${key})::text
        and j.policy = 'exclusive' and j.state <= 'active'`;

/** The condition that a key has a job, waiting or running. */
export const waits = (queue: QueueName, key: Sql): Sql => sql`exists (select ${liveJob(queue, key)})`;

/** The condition that a key's job failed and is not due yet. */
export const pauses = (queue: QueueName, key: Sql, now: Sql = sql`now()`): Sql =>
  sql`exists (select ${liveJob(queue, key)} and j.start_after > ${now})`;

const known: number = boss.pgboss.schema;

const clientBoss = (client: pg.Client): PgBoss => bossOn((text, values) => client.query(text, values));

/** The version of pg-boss's tables; null where there are none. */
async function readVersion(made: PgBoss): Promise<number | null> {
  const version = (await made.isInstalled()) ? await made.schemaVersion() : null;
  if (version !== null && version > known) {
    throw new Error(`the queues are those of a newer version (${version}, this one knows ${known})`);
  }
  return version;
}

/** Whether pg-boss's tables are of this version and have all our queues, so that no right to change them is needed. */
export async function queuesAreCurrent(client: pg.Client): Promise<boolean> {
  if ((await readVersion(clientBoss(client))) !== known) return false;
  const names = Object.keys(queues);
  const { rowCount } = await client.query(`select from ${SCHEMA}.queue where name = any($1)`, [names]);
  return rowCount === names.length;
}

/**
 * Brings pg-boss's tables and our queues up to date, on a connection of the tables' owner that holds the migrations' lock.
 * @throws Error when the tables are those of a newer version
 */
export async function migrateQueues(client: pg.Client): Promise<void> {
  const made = clientBoss(client);
  const version = await readVersion(made);
  if (version === null) await client.query(getConstructionPlans(SCHEMA));
  else if (version < known) await client.query(getMigrationPlans(SCHEMA, version));
  for (const [name, { policy, ...options }] of Object.entries(queues)) {
    await made.createQueue(name, { policy, ...options });
    await made.updateQueue(name, options);
  }
}
