import { dateFromUtc } from "@marketday/domain/calendar-date";

import type { Context } from "../lib/context.ts";
import { renewWagonPass } from "../modules/wagon-pass/renew-wagon-pass.ts";
import { findDuePasses } from "../modules/wagon-pass/store.ts";

/** Renews every pass whose day has come; a provider that is away leaves the rest for the next run. */
export async function renewWagonPasses(ctx: Context): Promise<void> {
  for (const pass of await findDuePasses(ctx.deps.db, dateFromUtc(ctx.now))) await renewWagonPass(ctx, pass);
}
