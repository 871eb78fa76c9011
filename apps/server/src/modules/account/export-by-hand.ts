import type { Context, CustomerId } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { collectData } from "./export-account.ts";

/** Exports a customer's data for an operator (docs/product.md §14 `customers export`), with an audit entry. */
export const exportByHand = (ctx: Context, customerId: CustomerId, reason: string, dryRun: boolean) =>
  withDryRun(ctx.deps.db, dryRun, async (tx) => {
    const data = await collectData(tx, ctx.deps.env.dataDir, customerId, ctx.now);
    await writeAuditEntry(tx, ctx, { action: "customers export", subject: `customer:${customerId}`, reason });
    return data;
  });
