import { CHECKOUT_GRACE_MS, HOLD_MS, PAYMENT_LEASE_MS, REMIND_LEAD_MS } from "@marketday/domain/limits";
import { addMs, Day } from "@marketday/domain/time";

import type { Context } from "../lib/context.ts";
import { countUnnotified } from "../modules/identify/store.ts";
import { findDueHolds } from "../modules/payments/renew-holds.ts";
import { type DueWork, findDueWork, findSecondCutoff } from "../modules/week/due-store.ts";

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
  if (deps.identify) add("identify", "tell of logins and sign-ups", await countUnnotified(deps.db));
  return work;
}

export type { DueWork };

/**
 * How far ahead `market jobs run --at` may go: before the second cutoff of any hub, so that a mistyped date closes at most
 * one delivery of each; a week where no such cutoff is planned. `reason`: why not later, as the end of a sentence.
 */
export async function lastRunnable({ deps }: Context): Promise<{ before: Date; reason: string }> {
  const clock = deps.clock.now();
  const second = await findSecondCutoff(deps.db, clock);
  return second
    ? {
        before: second.cutoff_at,
        reason: `it would close ${second.market} for ${second.day} too, and only the next delivery of each hub can be run early`,
      }
    : { before: addMs(clock, 7 * Day.ms), reason: "it is more than a week away, and a week is one cycle" };
}

/** "close orders of Carmel market for 2026-11-26: 14". */
export const dueWords = ({ what, market, day, count }: DueWork): string =>
  `${what}${market === null ? "" : ` of ${market}`}${day === null ? "" : ` for ${day}`}: ${count}`;
