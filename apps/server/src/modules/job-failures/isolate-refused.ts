import { isUnavailable, savepoint, sqlTransaction, type AnyTx } from "@marketday/db";

import { reasonOf } from "../../lib/log-errors.ts";
import type { Context } from "../identity/context.ts";

/** Items of a batch that may be refused one by one. When there are more, the reason is not theirs. */
const REFUSED_MAX = 10;

/** An item that cannot be written, with the reason. */
export interface Refused {
  id: number;
  error: unknown;
}

/**
 * Writes a batch of items at once where that succeeds, otherwise in halves, down to the single items that cannot be written: they
 * are left out, and the others are done (failures.md M3). `work` writes in `tx` only.
 * @param most items that may be left out
 * @returns the items that were left out
 * @throws the error when more than `most` items fail, or when the database is unavailable: then the batch is tried again as a whole
 */
export async function isolateRefused(
  tx: AnyTx,
  ids: readonly number[],
  work: (ids: readonly number[]) => Promise<unknown>,
  most = REFUSED_MAX,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  const write = async (part: readonly number[]): Promise<void> => {
    const [id] = part;
    if (id === undefined) return;
    try {
      await savepoint(tx, () => work(part));
    } catch (error) {
      if (isUnavailable(error) || refused.length >= most) throw error;
      if (part.length === 1) {
        refused.push({ id, error });
        return;
      }
      const half = Math.ceil(part.length / 2);
      await write(part.slice(0, half));
      await write(part.slice(half));
    }
  };
  await write(ids);
  return refused;
}

/** The failure of work that left items out, as `market doctor` shows it. `what`: the items, such as "Customer". */
export function refusedError(what: string, refused: readonly Refused[]): Error {
  const cause = refused[0]?.error;
  const reason = cause instanceof Error ? reasonOf(cause) : String(cause);
  return new Error(`${what} ${refused.map(({ id }) => id).join(", ")}: ${reason}`, { cause });
}

/**
 * Writes many items in batches, each a transaction, in the order of their ids (`isolateRefused`).
 * @returns "skipped" when the process stops
 * @throws the `refusedError`, when all others are done
 */
export async function writeInBatches(
  ctx: Context,
  /** `what` and `failpoint`: the items as doctor names them, and the point after each batch. */
  { what, failpoint }: { what: string; failpoint: string },
  /** Locks the next items after this id. */
  next: (tx: AnyTx, after: number) => Promise<number[]>,
  work: (tx: AnyTx, ids: readonly number[]) => Promise<unknown>,
): Promise<"done" | "skipped"> {
  const refused: Refused[] = [];
  for (let after = 0; ;) {
    const from = after;
    const batch = await sqlTransaction(ctx.deps.db, async (tx) => {
      const ids = await next(tx, from);
      return { last: ids.at(-1), refused: await isolateRefused(tx, ids, (part) => work(tx, part)) };
    });
    refused.push(...batch.refused);
    await ctx.deps.failpoint(failpoint);
    if (batch.last === undefined) break;
    if (ctx.signal?.aborted) return "skipped";
    after = batch.last;
  }
  if (refused.length > 0) throw refusedError(what, refused);
  return "done";
}
