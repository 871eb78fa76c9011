import { execute, readInBatches, sql, sqlTransaction } from "@marketday/db";

import type { Context } from "../identity/context.ts";
import type { ImportType } from "./kind.ts";

/** A row of a file: one text per column, null for an empty cell. */
export type TextRow = Record<string, string | null>;

/**
 * All rows of a kind for a file, in batches, from one snapshot of the market. Importing them again changes nothing.
 */
export async function exportFile(
  ctx: Pick<Context, "deps">,
  kind: ImportType,
  write: (rows: readonly TextRow[]) => Promise<void>,
): Promise<number> {
  return sqlTransaction(
    ctx.deps.db,
    async (tx) => {
      await execute(tx, sql`set transaction isolation level repeatable read, read only`);
      let count = 0;
      for await (const rows of readInBatches<TextRow>(tx, kind.exported)) {
        count += rows.length;
        await write(rows);
      }
      return count;
    },
    { retries: 0 },
  );
}
