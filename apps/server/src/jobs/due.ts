import { CHECKOUT_GRACE_MS, HOLD_MS, PAYMENT_LEASE_MS, REMIND_LEAD_MS } from "@marketday/domain/limits";
import { addMs, Day } from "@marketday/domain/time";

import type { Context } from "../modules/identity/context.ts";
import { findDueHolds } from "../modules/payments/hold-sql.ts";
import { countUnnotified } from "../modules/sign-in-events/event-sql.ts";
import { type DueWork, findDueWork } from "../modules/week/due-sql.ts";
import { findSecondCutoff } from "../modules/week/store.ts";

/**
 * The work that the jobs would do as of `ctx.now`; nothing is done. Work that one job makes due for another is not included, nor
 * the work of every tick: planning deliveries, deleting old rows.
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
  add("holds", "renew card holds", (await findDueHolds(deps.db, deps.payments.name, now)).length);
  if (deps.identify) add("identify", "send logins and sign-ups", await countUnnotified(deps.db));
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
export const formatDueWork = ({ what, market, day, count }: DueWork): string =>
  `${what}${market === null ? "" : ` of ${market}`}${day === null ? "" : ` for ${day}`}: ${count}`;
