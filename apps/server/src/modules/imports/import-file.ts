import { execute, sql, type SqlTx, stopOnAbort } from "@marketday/db";

import { AmountComparison, type AmountChanges } from "../../lib/amount-changes.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import type { FieldChanges } from "../../lib/field-changes.ts";
import type { Problem } from "../../lib/file-problem.ts";
import { awaitImportLock, takeImportLock } from "../../lib/import-lock-sql.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { compareAmounts, keepAmounts } from "./amount-sql.ts";
import { checkRows } from "./check-rows.ts";
import type { Counts, ImportType } from "./kind.ts";
import type { RawFile } from "./raw-file.ts";
import { applyRenames, finishRenames, type Renamed } from "./rename-sql.ts";
import { type How, stageRows } from "./stage-rows.ts";
import { compareStored } from "./stored-sql.ts";

export interface Outcome {
  rows: number;
  counts: Counts;
  /** What rows renamed by its number. */
  renamed: Renamed[];
  amounts: AmountChanges;
  /** The other values that change, old and new. */
  fields: FieldChanges;
  /** What people should know about the written rows, in sentences. */
  notes: string[];
  /** With `keepGoing`: the problems of the rejected rows; a row may have several. */
  rejected: Problem[];
}

async function run(ctx: Context, tx: SqlTx, kind: ImportType, file: RawFile, how: How): Promise<Outcome> {
  await tx.client.query(
    "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '30s'",
  );
  await (how.isEdit ? awaitImportLock(tx) : takeImportLock(tx));
  const staged = await stageRows(tx, kind, file, how);
  const { rows } = staged;
  how.onProgress?.(rows, "Checking");
  if (how.dryRun) await kind.copyLocked?.(tx);
  await applyRenames(tx, kind, file, staged, how);
  const rejected = await checkRows(tx, kind, file, staged, how);
  await how.guard?.(tx);
  const renamed = await finishRenames(tx, kind, how);
  how.onProgress?.(rows, "Writing");
  if (kind.amounts) await keepAmounts(tx, kind.amounts);
  const counts = await kind.write(tx, {
    now: ctx.now,
    has: (column) => file.header.includes(column),
    stockReason: file.audit?.action ?? "import",
  });
  const comparison = kind.amounts ? await compareAmounts(tx, kind.amounts) : new AmountComparison();
  const amounts = comparison.finish(how);
  const fields = await compareStored(tx, kind, file.header);
  const notes = (await kind.notes?.(tx)) ?? [];
  const outcome = { rows, counts, renamed, amounts, fields, notes, rejected };
  const actionId = await how.onWritten?.(tx);
  await writeAuditEntry(tx, actionId === undefined ? ctx : { ...ctx, actionId }, {
    action: file.audit?.action ?? `${kind.noun} import`,
    subject: file.audit?.subject ?? `file:${file.name}`,
    reason: "",
    data: {
      ...file.audit?.data,
      rows,
      counts,
      ...(renamed.length > 0 && { renamed }),
      amounts: amounts.count,
      fields: fields.count,
      largeChanges: amounts.largeCount,
      rejected: new Set(rejected.map(({ line }) => line)).size,
    },
  });
  if (!how.dryRun && !how.isEdit) await analyze(tx, kind);
  return outcome;
}

/** Autovacuum would update the statistics only after a minute. */
const analyze = (tx: SqlTx, kind: ImportType): Promise<number> =>
  kind.noun === "products" ? execute(tx, sql`analyze product, variant, offer, stock_adjustment`) : Promise.resolve(0);

/**
 * Imports a file: all rows or none, and with `keepGoing` all valid ones. A second import of the same file changes nothing. Things that
 * the file does not name stay, and so do the values of empty cells; the word `none` empties one.
 * @throws ImportRefused with the problems; LargeChangesRefused for amounts that change much; AppError `busy` while another import runs
 */
export async function importFile(ctx: Context, kind: ImportType, file: RawFile, how: How): Promise<Outcome> {
  const { db } = ctx.deps;
  try {
    return await withDryRun(
      db,
      how.dryRun,
      async (tx) => {
        const forget = await stopOnAbort(tx, how.signal, (pid) =>
          execute(db, sql`select pg_cancel_backend(${pid}::int)`),
        );
        try {
          const outcome = await run(ctx, tx, kind, file, how);
          how.signal.throwIfAborted();
          return outcome;
        } finally {
          forget();
        }
      },
      // The stream of a file cannot be read again for a retry.
      { retries: 0 },
    );
  } catch (error) {
    // The error of a canceled statement is replaced by the reason of the cancellation.
    if (how.signal.aborted) throw how.signal.reason;
    throw error;
  }
}
