import { AppError } from "../lib/app-error.ts";
import type { Context } from "../lib/context.ts";
import { renewWagonPass } from "../modules/wagon-pass/renew-wagon-pass.ts";
import { findDuePasses } from "../modules/wagon-pass/store.ts";

/**
 * Renews every pass whose day has come at its market; one that cannot be is logged, and a provider that is away leaves the
 * rest for the next run. While the market takes no cards passes go on and wait.
 */
export async function renewWagonPasses(ctx: Context): Promise<void> {
  const { db, log, payments } = ctx.deps;
  if (!payments.takesCards) return;
  for (const pass of await findDuePasses(db, ctx.now))
    try {
      await renewWagonPass(ctx, pass);
    } catch (error) {
      if (error instanceof AppError && error.details.code === "payments_down") throw error;
      log.error({ err: error, pass: pass.id }, "a wagon pass could not be renewed");
    }
}
