import type { Context, CustomerId } from "../../lib/context.ts";
import { tryOut } from "../../lib/try-out.ts";
import { recordAct } from "../audit/record-act.ts";
import { collectData } from "./export-account.ts";

/** All that is kept about a customer, taken out by an operator (decisions §14 `customers export`): it is written down. */
export const exportByHand = (ctx: Context, customerId: CustomerId, reason: string, dryRun: boolean) =>
  tryOut(ctx.deps.db, dryRun, async (tx) => {
    const data = await collectData(tx, ctx.deps.env.dataDir, customerId, ctx.now);
    await recordAct(tx, ctx, { action: "customers export", subject: `customer:${customerId}`, reason });
    return data;
  });
