import { type AnyTx, execute, query, sql, sqlState } from "@marketday/db";

import { AppError } from "./app-error.ts";

/** Any fixed number. */
const IMPORT_LOCK = 7_263_901;

const busy = (what: string) => new AppError(503, `${what} Wait until it is done, then try again.`, { code: "busy" });

/** How long an edit waits for an import or another edit. */
const WAIT_MS = 10_000;

/** As `takeImportLock`, but waits up to ten seconds: two people save at the same moment. `lock_timeout` is 30 seconds after it. */
export async function awaitImportLock(tx: AnyTx): Promise<void> {
  await execute(tx, sql`select set_config('lock_timeout', ${`${WAIT_MS}ms`}, true)`);
  try {
    await execute(tx, sql`select pg_advisory_xact_lock(${IMPORT_LOCK}::bigint)`);
  } catch (error) {
    throw sqlState(error) === "55P03" ? busy("Products are being imported or saved by someone else.") : error;
  }
  await execute(tx, sql`set local lock_timeout = '30s'`);
}

/** Allows one import at a time (docs/product.md §14), until the transaction ends. @throws AppError 503 `busy` */
export async function takeImportLock(tx: AnyTx): Promise<void> {
  const [lock] = await query<{ free: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(${IMPORT_LOCK}::bigint) as free`,
  );
  if (!lock?.free) throw busy("Another import is running.");
}
