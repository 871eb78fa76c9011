import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

const Row = z.object({
  id: z.number(),
  kind: z.string(),
  email: z.string(),
  name: z.string(),
  zip_code: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: z.date(),
});
export type LeadListRow = z.infer<typeof Row>;

/** Applications and other words people left, the newest first, of these kinds. */
export const findLeads = (db: Conn, kinds: readonly string[], most: number): Promise<LeadListRow[]> =>
  query(
    db,
    sql`select id, kind, email, name, zip_code, data, created_at from lead where kind = any(${[...kinds]}::text[]) order by created_at desc, id desc limit ${most}::int`,
    Row,
  );
