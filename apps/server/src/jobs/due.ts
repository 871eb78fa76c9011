import { CHECKOUT_GRACE_MS, HOLD_MS, PAYMENT_LEASE_MS, REMIND_LEAD_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import type { Context } from "../lib/context.ts";
import { countUntold } from "../modules/identify/store.ts";
import { findDueHolds } from "../modules/payments/renew-holds.ts";
import { type DueWork, findDueWork } from "../modules/week/due-store.ts";

/**
 * What the timetable would do as of `ctx.now`; nothing is done. What one job only makes due for another is not in it, nor what
 * is tidied at every tick: deliveries planned ahead, old rows deleted.
 */
export async function dueWork({ deps, now }: Context): Promise<DueWork[]> {
  const clock = deps.clock.now();
  const work = await findDueWork(deps.db, {
    now,
    clock,
    leaseEnded: addMs(clock, -PAYMENT_LEASE_MS),
    holdEnded: addMs(clock, -HOLD_MS),
    graceEnded: addMs(now, -CHECKOUT_GRACE_MS),
    soon: addMs(now, REMIND_LEAD_MS),
  });
  const add = (job: string, what: string, count: number) =>
    count > 0 && work.push({ job, what, count, market: null, day: null });
  add("holds", "hold money anew", (await findDueHolds(deps.db, deps.payments.name, now)).length);
  if (deps.identify) add("identify", "tell of logins and sign-ups", await countUntold(deps.db));
  return work;
}

/** "close orders of Carmel market for 2026-11-26: 14". */
export const dueWords = ({ what, market, day, count }: DueWork): string =>
  `${what}${market === null ? "" : ` of ${market}`}${day === null ? "" : ` for ${day}`}: ${count}`;
