import { isUnavailable, savepoint, type Tx } from "@marketday/db";

import { reasonOf } from "../../lib/log-errors.ts";

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
  tx: Tx,
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

/** The failure of a step that left customers out, as `market doctor` shows it. */
export function customersRefused(refused: readonly Refused[]): Error {
  const [first] = refused;
  const ids = refused.map(({ id }) => id).join(", ");
  const cause = first?.error;
  const reason = cause instanceof Error ? reasonOf(cause) : String(cause);
  return new Error(`Customer ${ids}: ${reason}`, { cause });
}
