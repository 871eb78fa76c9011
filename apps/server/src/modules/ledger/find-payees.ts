import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

const Row = z.object({ id: z.number(), slug: z.string(), name: z.string(), email: z.string().nullable() });
/** Who is paid. */
export type Payee = z.infer<typeof Row>;

/** Vendors by slug, or (null) all, by name. */
export const findPayees = (db: Conn, slugs: readonly string[] | null): Promise<Payee[]> =>
  query(
    db,
    sql`select id, slug, name, email from vendor where ${slugs === null ? null : [...slugs]}::text[] is null or slug = any(${slugs === null ? null : [...slugs]}::text[]) order by name, id`,
    Row,
  );
