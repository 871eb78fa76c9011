import type { AnyTx } from "@marketday/db";

import { AppError } from "../../lib/app-error.ts";
import { findEqualEntries } from "./audit-sql.ts";
import type { AuditEntry } from "./write-audit-entry.ts";

/** An earlier manual operation: subject, time (ISO-8601 UTC) and operator. */
export interface EarlierOperation {
  subject: string;
  at: string;
  who: string;
}

/** ms. An operation without a key that is repeated within this time counts as a double click. */
const SOON = 24 * 3_600_000;

/**
 * Finds an equal earlier operation: with a `key` at any time, without one within 24 hours with the same reason and data. Of
 * two concurrent ones the second waits here and finds the first.
 * @throws AppError 409 `key_used` when the key was used for another operation
 */
export async function findDuplicateOperation(
  tx: AnyTx,
  operation: Pick<AuditEntry, "action" | "reason" | "data">,
  key: string | null,
  now: Date,
): Promise<EarlierOperation | null> {
  const data = operation.data ?? {};
  const rows = await findEqualEntries(tx, { ...operation, data }, key, new Date(now.getTime() - SOON));
  const [found] = rows;
  if (!found) return null;
  if (!found.same)
    throw new AppError(409, `The key ${key} was used for something else: nothing was done.`, { code: "key_used" });
  return { subject: found.subject, at: found.at.toISOString(), who: found.who };
}
