import { addMs, Minute } from "@marketday/domain/time";

import { failedChecks, findProblems } from "../modules/doctor/find-problems.ts";
import { claimChecks, storeChecks } from "../modules/health/stored-health.ts";
import type { Context } from "../modules/identity/context.ts";

/** Checks that were begun within this time are not repeated: by another server, by a restart, or by `market jobs run`. */
const FRESH_MS = 50 * Minute.ms;

/** Runs the checks of `market doctor` and stores what they found, once an hour (docs/product.md §18). */
export async function checkMarket({ deps, actor, signal }: Context): Promise<void> {
  const now = deps.clock.now();
  if (!(await claimChecks(deps.db, addMs(now, -FRESH_MS), now))) return;
  await deps.failpoint("checks:claimed");
  const found = await findProblems({ deps, actor, now, ...(signal && { signal }) });
  await storeChecks(deps.db, failedChecks(found), now);
}
