import type { Tx } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { markClosed, problemExists } from "./store.ts";

/** `closeProblem` in a transaction. `actionId`: of the action that closes it. */
export async function closeProblemIn(
  tx: Tx,
  ctx: Context,
  id: number,
  { reason, actionId }: { reason: string; actionId?: number },
): Promise<boolean> {
  const row = await markClosed(tx, id, ctx.now);
  if (!row) {
    if (await problemExists(tx, id)) return false;
    throw notFound();
  }
  await writeAuditEntry(tx, ctx, {
    action: "problems close",
    subject: `order:${row.order_id}`,
    reason,
    data: { problemId: id, ...(actionId !== undefined && { actionId }) },
  });
  return true;
}

/** Closes a report and stores the reason. Idempotent. 404 for an unknown report. @returns whether it was open */
export const closeProblem = (ctx: Context, id: number, reason: string, dryRun = false): Promise<boolean> =>
  withClientDryRun(ctx.deps.db, dryRun, (tx) => closeProblemIn(tx, ctx, id, { reason }));
