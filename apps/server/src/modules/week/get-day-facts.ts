import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { type DayFactsRow, findDayFacts } from "./day-facts-sql.ts";

/** The facts of a delivery day of a hub (slug or id). @throws AppError 404 for an unknown hub, and for a date without a delivery */
export async function getDayFacts(ctx: Context, hub: string, day: string): Promise<DayFactsRow> {
  const facts = await findDayFacts(ctx.deps.db, hub, day, ctx.now);
  if (facts) return facts;
  await deliveryOf(ctx, hub, day);
  // The day was deleted and created again meanwhile.
  return getDayFacts(ctx, hub, day);
}
