import { notFound } from "../../lib/app-error.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { lockProblem, markClosed } from "./store.ts";

/** Closes a report and stores the reason. Idempotent. 404 for an unknown report. @returns whether it was open */
export async function closeProblem(ctx: Context, id: number, reason: string, dryRun = false): Promise<boolean> {
  return withDryRun(ctx.deps.db, dryRun, async (tx) => {
    const row = await lockProblem(tx, id);
    if (!row) throw notFound();
    if (row.status === "closed") return false;
    await markClosed(tx, id, ctx.now);
    await writeAuditEntry(tx, ctx, {
      action: "problems close",
      subject: `order:${row.order_id}`,
      reason,
      data: { problemId: id },
    });
    return true;
  });
}
