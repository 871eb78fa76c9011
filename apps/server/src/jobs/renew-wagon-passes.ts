import { dateFromUtc } from "@marketday/domain/calendar-date";

import { AppError } from "../lib/app-error.ts";
import type { Context } from "../lib/context.ts";
import { renewWagonPass } from "../modules/wagon-pass/renew-wagon-pass.ts";
import { findDuePasses } from "../modules/wagon-pass/store.ts";

/** Renews every pass whose day has come; one that cannot be is logged, and a provider that is away leaves the rest for the next run. */
export async function renewWagonPasses(ctx: Context): Promise<void> {
  const { db, log } = ctx.deps;
  for (const pass of await findDuePasses(db, dateFromUtc(ctx.now)))
    try {
      await renewWagonPass(ctx, pass);
    } catch (error) {
      if (error instanceof AppError && error.details.code === "payments_down") throw error;
      log.error({ err: error, pass: pass.id }, "a wagon pass could not be renewed");
    }
}
