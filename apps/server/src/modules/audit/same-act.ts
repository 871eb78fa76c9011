import { execute, query, sql, type SqlTx } from "@marketday/db";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import type { AuditEntry } from "./write-audit-entry.ts";

/** What was done by hand before: to what, when (ISO-8601 UTC) and by whom. */
export interface EarlierOperation {
  subject: string;
  at: string;
  who: string;
}

/** ms. Asked for again within this, an act without a key is a second click, not a second gift. */
const SOON = 24 * 3_600_000;

const Row = z.object({ subject: z.string(), at: z.date(), who: z.string(), same: z.boolean() });

/**
 * Looks whether an act was done before: with a `key` ever, without one within 24 hours with the same reason and data. Of
 * two that are asked for at once the second waits here and finds the first.
 * @throws AppError 409 `key_used` when the key stands for something else
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
