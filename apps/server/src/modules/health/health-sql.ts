import { type AnyTx, execute, sql } from "@marketday/db";

import { BACKUP, CHECKS } from "./stored-health.ts";

/** After a restore: the checks were of what was there before, and the newest backup is the one that was restored. */
export async function resetHealth(tx: AnyTx, takenAt: Date): Promise<void> {
  await execute(tx, sql`delete from market_fact where key = ${CHECKS}`);
  await execute(
    tx,
    sql`insert into market_fact (key, value, created_at) values (${BACKUP}, jsonb_build_object('takenAt', ${takenAt.toISOString()}::text), ${takenAt})
        on conflict (key) do update set value = excluded.value, created_at = excluded.created_at`,
  );
}
