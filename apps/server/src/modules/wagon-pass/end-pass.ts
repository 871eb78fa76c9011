import { transaction, type Tx } from "@marketday/db";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { cancelPass, type PassRow } from "./pass-sql.ts";
import { findMarketDate } from "./store.ts";

/** Ends the active pass on its renewal day, with an email. Null: the customer has none. */
async function end(ctx: Context, tx: Tx, customerId: CustomerId, reason: string | null): Promise<PassRow | null> {
  const pass = await cancelPass(tx, customerId);
  if (!pass) return null;
  await enqueueMail(tx, {
    key: `wagon-pass-ended:${pass.id}`,
    template: "wagon-pass-ended",
    customerId,
    data: { endsOn: pass.ends_on, today: await findMarketDate(tx, customerId, ctx.now), reason },
    now: ctx.now,
  });
  await ctx.deps.failpoint("pass:ended");
  return pass;
}

/** Ends the customer's active pass, as requested: it stays until its renewal day. A second time changes nothing. */
export const endPass = ({ deps, ...rest }: Context, customerId: CustomerId): Promise<PassRow | null> =>
  transaction(deps.db, (tx) => end({ deps, ...rest }, tx, customerId, null));

/**
 * Ends a customer's pass for the market (docs/product.md §14 `passes end`): it stays until its renewal day, and the reason is in
 * the customer's email. @throws AppError 409 `no_pass`
 */
export const endPassByMarket = (
  ctx: Context,
  customerId: CustomerId,
  { reason, dryRun }: { reason: string; dryRun: boolean },
): Promise<PassRow> =>
  withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    const pass = await end(ctx, tx, customerId, reason);
    if (!pass)
      throw new AppError(409, "This customer has no active wagon pass; nothing was done.", { code: "no_pass" });
    await writeAuditEntry(tx, ctx, {
      action: "passes end",
      subject: `customer:${customerId}`,
      reason,
      data: { passId: pass.id, endsOn: pass.ends_on },
    });
    return pass;
  });
