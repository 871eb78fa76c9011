import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { addMs, Hour } from "@marketday/domain/time";
import { z } from "zod";

/** A submission of a public form; `data` holds the remaining fields. */
export interface Lead {
  kind: "vendor" | "driver" | "job" | "email" | "zip" | "contact";
  email: string;
  name: string;
  zipCode: string;
  data: Record<string, unknown>;
}

/** Within this time, the same submission from the same address is one lead. */
const SAME_MS = 1 * Hour.ms;

/**
 * Inserts a lead and returns its id; null if the same lead was inserted within the hour (double click, retry). Locks the address
 * until the transaction ends.
 */
export async function insertLead(tx: Conn, lead: Lead, now: Date): Promise<number | null> {
  await execute(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`lead:${lead.email}`}, 0))`);
  const row = await queryOne(
    tx,
    sql`insert into lead (kind, email, name, zip_code, data, created_at)
        select ${lead.kind}, ${lead.email}, ${lead.name}, ${lead.zipCode}, ${JSON.stringify(lead.data)}::jsonb, ${now}
        where not exists (select 1 from lead where email = ${lead.email} and kind = ${lead.kind} and created_at > ${addMs(now, -SAME_MS)}
          and name = ${lead.name} and zip_code = ${lead.zipCode} and data = ${JSON.stringify(lead.data)}::jsonb)
        returning id`,
    z.object({ id: z.number() }),
  );
  return row?.id ?? null;
}

const LeadRow = z.object({
  kind: z.string(),
  email: z.string(),
  name: z.string(),
  zip_code: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type LeadRow = z.infer<typeof LeadRow>;

/** A lead, for the mail about it; null if it was deleted. */
export const findLead = (conn: Conn, id: number): Promise<LeadRow | null> =>
  queryOne(conn, sql`select kind, email, name, zip_code, data from lead where id = ${id}::int`, LeadRow);

const LeadListRow = z.object({
  id: z.number(),
  kind: z.string(),
  email: z.string(),
  name: z.string(),
  zip_code: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: z.date(),
});
export type LeadListRow = z.infer<typeof LeadListRow>;

/** Leads of these kinds, newest first. */
export const findLeads = (db: Conn, kinds: readonly string[], most: number): Promise<LeadListRow[]> =>
  query(
    db,
    sql`select id, kind, email, name, zip_code, data, created_at from lead where kind = any(${[...kinds]}::text[]) order by created_at desc, id desc limit ${most}::int`,
    LeadListRow,
  );
