import { query, sql, type AnyTx } from "@marketday/db";

import { AppError } from "./app-error.ts";

/** Any fixed number. */
const IMPORT_LOCK = 7_263_901;

/** Allows one import at a time (docs/product.md §14), until the transaction ends. @throws AppError 503 `busy` */
export async function takeImportLock(tx: AnyTx): Promise<void> {
  const [lock] = await query<{ free: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(${IMPORT_LOCK}::bigint) as free`,
  );
  if (!lock?.free)
    throw new AppError(503, "Another import is running. Wait until it is done, then try again.", { code: "busy" });
}
