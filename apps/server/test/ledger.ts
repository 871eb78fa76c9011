import { type Db, query, sql } from "@marketday/db";

/** The sum of all entries of the ledger, in cents; 0 when it is balanced. */
export const sumOfLedger = async (db: Db): Promise<number> =>
  (await query<{ cents: number }>(db, sql`select coalesce(sum(amount_cents), 0)::int as cents from ledger_entry`))[0]!
    .cents;
