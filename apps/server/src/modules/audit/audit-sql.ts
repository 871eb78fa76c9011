import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

/** Adds a row to the audit log. Its market is that of its subject (`audit_hub`); `hub` of the data names it where the subject does not. */
export const insertAuditEntry = (
  tx: Conn,
  entry: {
    actor: string;
    action: string;
    subject: string;
    reason: string;
    data: Record<string, unknown>;
    now: Date;
  },
): Promise<number> =>
  execute(
    tx,
    sql`insert into audit_entry (actor, action, subject, reason, data, hub_id, created_at)
        values (${entry.actor}, ${entry.action}, ${entry.subject}, ${entry.reason}, ${JSON.stringify(entry.data)}::jsonb, audit_hub(${entry.subject}), ${entry.now})`,
  );

const EqualEntry = z.object({ subject: z.string(), at: z.date(), who: z.string(), same: z.boolean() });

/**
 * The last entry with this key, or without a key the last equal one after `since`, whose action was not undone; at most one. Waits for a concurrent operation of
 * the same action.
 */
export async function findEqualEntries(
  tx: Conn,
  { action, reason, data }: { action: string; reason: string; data: Record<string, unknown> },
  key: string | null,
  since: Date,
): Promise<z.infer<typeof EqualEntry>[]> {
  await execute(tx, sql`select pg_advisory_xact_lock(hashtextextended(${action}, 7263902))`);
  const json = JSON.stringify(data);
  return query(
    tx,
    sql`select subject, created_at as at, actor as who, data @> ${json}::jsonb as same from audit_entry
        where action = ${action} and (
          (${key}::text is not null and data->>'key' = ${key}) or
          (${key}::text is null and data->>'key' is null and reason = ${reason} and data @> ${json}::jsonb and created_at > ${since}
            and not exists (select 1 from staff_action s where to_jsonb(s.id) = data->'actionId' and s.state = 'undone')))
        order by id desc limit 1`,
    EqualEntry,
  );
}

/** How many entries of these actions a subject has since an instant. */
export async function countEntriesSince(
  tx: Conn,
  { subject, actions, since }: { subject: string; actions: readonly string[]; since: Date },
): Promise<number> {
  const row = await queryOne(
    tx,
    sql`select count(*)::int as count from audit_entry
        where subject = ${subject} and action = any(${[...actions]}::text[]) and created_at > ${since}`,
    z.object({ count: z.number() }),
  );
  return row?.count ?? 0;
}
