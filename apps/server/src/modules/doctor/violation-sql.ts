import { type Conn, join, query, sql } from "@marketday/db";
import { z } from "zod";

import { findSharedReferrals } from "../referrals/refusal.ts";
import { INVARIANTS } from "./invariants-sql.ts";

/** An invariant that does not hold. */
export interface Violation {
  /** V1 … of docs/failures.md. */
  invariant: string;
  /** What is wrong, with its numbers. */
  problem: string;
}

const Row = z.object({ invariant: z.string(), problem: z.string() });

/**
 * The invariants of the whole market, read-only: money adds up, stock balances, nothing is left lying. Runs after the
 * tests of money and stock, daily, and as `market doctor`. Answers the violations, at best none.
 */
export async function audit(db: Conn, now: Date): Promise<Violation[]> {
  // One statement, so that all are of one moment.
  const queries = Object.entries(INVARIANTS).flatMap(([invariant, named]) =>
    Object.values(named).map(
      (breaches) => sql`select ${invariant}::text as invariant, problem from (${breaches(now)}) found`,
    ),
  );
  const found = await query(db, join(queries, " union all "), Row);
  const shared = await findSharedReferrals(db);
  return [...found, ...shared.map((problem) => ({ invariant: "V7", problem }))];
}
