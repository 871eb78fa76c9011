import { notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { markClosed, problemExists } from "./store.ts";

/** Closes a report and stores the reason. Idempotent. 404 for an unknown report. @returns whether it was open */
export async function closeProblem(ctx: Context, id: number, reason: string, dryRun = false): Promise<boolean> {
  return withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    const row = await markClosed(tx, id, ctx.now);
    if (!row) {
      if (await problemExists(tx, id)) return false;
      throw notFound();
    }
    await writeAuditEntry(tx, ctx, {
      action: "problems close",
      subject: `order:${row.order_id}`,
      reason,
      data: { problemId: id },
    });
    return true;
  });
}
