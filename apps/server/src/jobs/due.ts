import { CHECKOUT_GRACE_MS, REMIND_LEAD_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import type { Context } from "../lib/context.ts";
import { type DueWork, findDueWork } from "../modules/week/due-store.ts";

/** What the timetable would do as of `ctx.now`; nothing is done. What one job only makes due for another is not in it. */
export const dueWork = ({ deps, now }: Context): Promise<DueWork[]> =>
  findDueWork(deps.db, {
    now,
    clock: deps.clock.now(),
    graceEnded: addMs(now, -CHECKOUT_GRACE_MS),
    soon: addMs(now, REMIND_LEAD_MS),
  });

/** "close orders of Carmel market for 2026-11-26: 14". */
export const dueWords = ({ what, market, day, count }: DueWork): string =>
  `${what}${market === null ? "" : ` of ${market}`}${day === null ? "" : ` for ${day}`}: ${count}`;
