import type pg from "pg";
import { getConstructionPlans, getMigrationPlans, PgBoss, type Queue } from "pg-boss";
import boss from "pg-boss/package.json" with { type: "json" };

import type { Db } from "./client.ts";
import { withClient } from "./pool.ts";
import { poolOf } from "./query.ts";
import { raw, type Sql, sql } from "./statement.ts";

/** Where pg-boss keeps its tables, beside ours: what stands there can be made anew from our rows at any time. */
const SCHEMA = "pgboss";

/**
 * One for each kind of message that leaves the house; seconds. A job names a row, at most one job of a row waits or runs
 * (`exclusive`). A try that fails is made again after 1, 2, 4 … at most 300 s (failures.md E2); a sender that dies holds
 * a job for 60 s. No retry is the last: a message is never given up, it is deleted when it is of no use any more.
 */
const usual = {
  policy: "exclusive",
  expireInSeconds: 60,
  retryLimit: 100_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 3_600,
} as const satisfies Omit<Queue, "name">;

/** `mail`: rows of `mail`. `identify`: rows of `identify_event`. */
const queues = { mail: usual, identify: usual } as const satisfies Record<string, Omit<Queue, "name">>;
export type QueueName = keyof typeof queues;

/** A job's data: the row it is about. */
export interface JobOf {
  id: number;
}

/** Takes and settles jobs: pg-boss on the database's own connections, without timers of its own. */
export type Queues = Pick<PgBoss, "fetch" | "complete" | "fail" | "update" | "supervise">;

type Ask = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

const bossOn = (ask: Ask): PgBoss =>
  new PgBoss({
    db: { executeSql: ask },
    schema: SCHEMA,
    migrate: false,
    supervise: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    monitorIntervalSeconds: 30,
  });

/**
 * Opens the queues of a migrated database. Nothing runs by itself: `fetch` takes what may run now, `supervise` gives back
 * what dead senders held and deletes what is done.
 */
export const openQueues = (db: Db): Queues =>
  bossOn((text, values) => withClient(poolOf(db), (client) => client.query(text, values)));

/**
 * The statement that hands rows to a queue, to stand in the `with` beside what wrote them: they wait there from the
 * commit on, or not at all. A row that waits already is left as it is.
 * @param rows a query that answers `id`, the rows' numbers
 */
export const enqueued = (queue: QueueName, rows: Sql): Sql =>
  sql`insert into ${raw(SCHEMA)}.job (name, data, singleton_key, policy, keep_until, expire_seconds, deletion_seconds,
        retry_limit, retry_delay, retry_backoff, retry_delay_max)
      select q.name, jsonb_build_object('id', handed.id), handed.id::text, q.policy, now() + q.retention_seconds * interval '1 second',
        q.expire_seconds, q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max
      from (${rows}) handed join ${raw(SCHEMA)}.queue q on q.name = ${queue}
      on conflict do nothing returning 1`;

const jobOf = (queue: QueueName, id: Sql): Sql =>
  sql`from ${raw(SCHEMA)}.job j where j.name = ${queue} and coalesce(j.singleton_key, '') = ${id}::text
        and j.policy = 'exclusive' and j.state <= 'active'`;

/** The condition that a row has a job, waiting or under way. `id`: the column with the row's number. */
export const waits = (queue: QueueName, id: Sql): Sql => sql`exists (select ${jobOf(queue, id)})`;

/** The condition that a row was not taken and has time until its next try. */
export const pauses = (queue: QueueName, id: Sql): Sql =>
  sql`exists (select ${jobOf(queue, id)} and j.start_after > now())`;

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

/** Whether pg-boss's tables are of this version, so that nobody needs the right to change them. */
export const queuesAreCurrent = async (client: pg.Client): Promise<boolean> =>
  (await readVersion(clientBoss(client))) === known;

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
