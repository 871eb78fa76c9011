import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { failuresAt } from "../job-failures/failure-sql.ts";

const HealthRow = z.object({
  total: z.number(),
  work: z.array(
    z.object({
      job: z.string(),
      subject: z.string(),
      reason: z.string(),
      tries: z.number(),
      since: z.string(),
      next_at: z.string().nullable(),
    }),
  ),
  facts: z.record(z.string(), z.unknown()),
  postgres: z.string(),
  migration: z.string(),
});

/** Failed work, the oldest first and at most `most` of it; the stored result of the checks; versions. */
export const findHealth = (db: Conn, now: Date, most: number): Promise<z.infer<typeof HealthRow> | null> =>
  queryOne(
    db,
    sql`with failed as materialized (select * from (${failuresAt(now)}) f),
        shown as (select * from failed order by since, job, subject limit ${most}::int)
        select (select count(*)::int from failed) as total,
          coalesce((select json_agg(s order by s.since, s.job, s.subject) from shown s), '[]') as work,
          coalesce((select json_object_agg(key, value) from market_fact where key = 'doctor'), '{}') as facts,
          current_setting('server_version') as postgres,
          coalesce((select max(migration_name) from _prisma_migrations where finished_at is not null and rolled_back_at is null), '') as migration`,
    HealthRow,
  );
