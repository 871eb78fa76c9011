import { type Conn, query, sql } from "@marketday/db";
import { cleanCode } from "@marketday/domain/text";
import { z } from "zod";

const Row = z.object({ id: z.number(), email: z.string() });

/** Accounts whose stored email is not as it is when typed (docs/product.md §2 "Text"): their owners cannot log in. */
export async function findUncleanEmails(db: Conn): Promise<z.infer<typeof Row>[]> {
  const rows = await query(db, sql`select id, email from customer where email ~ '[^!-~]' order by id`, Row);
  return rows.filter(({ email }) => cleanCode(email).toLowerCase() !== email);
}
