import { transaction } from "@marketday/db";

import { maskPrivateText } from "../../lib/log-errors.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { retryFailures } from "../job-failures/retry-sql.ts";

/** Tries failed work again now: the one of this job and subject, or all. @returns how much is tried */
export const retryWork = (ctx: Context, work: { job: string; subject: string } | null): Promise<number> =>
  transaction(ctx.deps.db, async (tx) => {
    const retried = await retryFailures(tx, work, ctx.now);
    if (retried > 0)
      await writeAuditEntry(tx, ctx, {
        action: "settings retry",
        subject: "",
        reason: "",
        // The key of an email may have an address, which the deletion of an account would not find here.
        data: { ...(work && { job: work.job, subject: maskPrivateText(work.subject) }), retried },
      });
    return retried;
  });
