import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { addMs, Hour } from "@marketday/domain/time";
import { z } from "zod";

/** Somebody who wrote to the market; `data` is what the form asked besides. */
export interface Lead {
  kind: "vendor" | "driver" | "job" | "email" | "zip" | "contact";
  email: string;
  name: string;
  zipCode: string;
  data: Record<string, unknown>;
}

/** Within this time the same words of the same person are one lead. */
const SAME_MS = 1 * Hour.ms;

/**
 * Writes a lead down and gives its id; null when the same was written within the hour (pressed twice, sent again after a
 * lost answer). One writer for each address at a time, until the transaction ends.
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

/** A lead, for the mail about it; null when it was removed. */
export const findLead = (conn: Conn, id: number): Promise<LeadRow | null> =>
  queryOne(conn, sql`select kind, email, name, zip_code, data from lead where id = ${id}::int`, LeadRow);
