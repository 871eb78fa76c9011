import { execute, query, sql, type SqlTx } from "@marketday/db";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import type { AuditEntry } from "./write-audit-entry.ts";

/** An earlier manual operation: subject, time (ISO-8601 UTC) and operator. */
export interface EarlierOperation {
  subject: string;
  at: string;
  who: string;
}

/** ms. An operation without a key that is repeated within this time counts as a double click. */
const SOON = 24 * 3_600_000;

const Row = z.object({ subject: z.string(), at: z.date(), who: z.string(), same: z.boolean() });

/**
 * Finds an equal earlier operation: with a `key` at any time, without one within 24 hours with the same reason and data. Of
 * two concurrent ones the second waits here and finds the first.
 * @throws AppError 409 `key_used` when the key was used for another operation
 */
export async function findDuplicateOperation(
  tx: SqlTx,
  act: Pick<AuditEntry, "action" | "reason" | "data">,
  key: string | null,
  now: Date,
): Promise<EarlierOperation | null> {
  await execute(tx, sql`select pg_advisory_xact_lock(hashtextextended(${act.action}, 7263902))`);
  const data = JSON.stringify(act.data ?? {});
  const rows = await query(
    tx,
    sql`select subject, created_at as at, actor as who, data @> ${data}::jsonb as same from audit_entry
        where action = ${act.action} and (
          (${key}::text is not null and data->>'key' = ${key}) or
          (${key}::text is null and data->>'key' is null and reason = ${act.reason} and data @> ${data}::jsonb and created_at > ${new Date(now.getTime() - SOON)}))
        order by id desc limit 1`,
    Row,
  );
  const [found] = rows;
  if (!found) return null;
  if (!found.same)
    throw new AppError(409, `The key ${key} was used for something else: nothing was done.`, { code: "key_used" });
  return { subject: found.subject, at: found.at.toISOString(), who: found.who };
}
