import { type AnyTx, execute, query, sql, sqlState } from "@marketday/db";

import { AppError } from "./app-error.ts";

/** Any fixed number. */
const IMPORT_LOCK = 7_263_901;

const busy = () =>
  new AppError(503, "A file is being imported right now. Wait until it is done, then try again.", { code: "busy" });

/** As `takeImportLock`, but waits up to three seconds: two people save at the same moment. The transaction waits as long for other locks. */
export async function awaitImportLock(tx: AnyTx): Promise<void> {
  try {
    await execute(tx, sql`set local lock_timeout = '3s'`);
    await execute(tx, sql`select pg_advisory_xact_lock(${IMPORT_LOCK}::bigint)`);
  } catch (error) {
    throw sqlState(error) === "55P03" ? busy() : error;
  }
}

/** Allows one import at a time (docs/product.md §14), until the transaction ends. @throws AppError 503 `busy` */
export async function takeImportLock(tx: AnyTx): Promise<void> {
  const [lock] = await query<{ free: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(${IMPORT_LOCK}::bigint) as free`,
  );
  if (!lock?.free) throw busy();
}
