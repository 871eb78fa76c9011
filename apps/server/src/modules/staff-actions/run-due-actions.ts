import { transaction } from "@marketday/db";
import { can, type Grant, type Role } from "@marketday/domain/staff";
import { STAFF_ACTION_PERMISSION, type StaffActionKind } from "@marketday/domain/staff-actions";
import { addMs, Minute } from "@marketday/domain/time";

import { AppError } from "../../lib/app-error.ts";
import { asStaffId, type Context, type StaffActor } from "../identity/context.ts";
import { runEach, SWEEP_PAUSE_MAX_MS } from "../job-failures/run-each.ts";
import { ACTION_KINDS } from "./kinds.ts";
import { type ActionRow, claimAction, endAction, findDueActions, releaseAction } from "./store.ts";

/** Time after which another server takes an action that is still running. Twice is once. */
const LEASE_MS = 5 * Minute.ms;

/** The roles of an action's person, as they are now. */
const grantsOf = ({ staff }: ActionRow): Grant[] =>
  staff.disabled_at === null ? staff.grants.map(({ role, hub_id }) => ({ role: role as Role, hubId: hub_id })) : [];

/** The person of an action, as the use cases have them. */
const actorOf = (action: ActionRow): StaffActor => ({
  type: "staff",
  staffId: asStaffId(action.staff.id),
  email: action.staff.email,
  name: action.staff.name,
  grants: grantsOf(action),
  sessionId: `action:${action.id}`,
  steppedUpAt: null,
});

/** Does one action. @throws what its kind throws, when it is to be tried again */
async function runAction(ctx: Context, action: ActionRow): Promise<"done" | "skipped"> {
  const { deps, now } = ctx;
  const { id, hub_id: hubId } = action;
  const kind = action.kind as StaffActionKind;
  const start = deps.clock.now();
  if (!(await claimAction(deps.db, id, now, addMs(start, LEASE_MS)))) return "skipped";
  const own: Context = { ...ctx, actor: actorOf(action) };
  try {
    if (!can(grantsOf(action), STAFF_ACTION_PERMISSION[kind], hubId))
      throw new AppError(403, `${action.staff.name} may no longer do that.`, { code: "forbidden" });
    await deps.failpoint("staff-action:claimed");
    await ACTION_KINDS[kind].run?.(own, action);
    await deps.failpoint("staff-action:done");
    await endAction(deps.db, id, "running", { state: "done", now });
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) {
      await releaseAction(deps.db, id, now);
      throw error;
    }
    const { message } = error;
    await transaction(deps.db, async (tx) => {
      if (await endAction(tx, id, "running", { state: "refused", problem: message, now }))
        await ACTION_KINDS[kind].putBack?.(own, tx, action);
    });
  }
  return "done";
}

/** Does the held actions whose time has come, and those that a killed server had begun (failures.md M3). */
export const runDueActions = async (ctx: Context): Promise<number> =>
  runEach(ctx, {
    job: "staff-actions",
    items: await findDueActions(ctx.deps.db, ctx.now),
    subjectOf: ({ id, subject }) => `action ${id} on ${subject}`,
    run: (action) => runAction(ctx, action),
    isComplete: true,
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
  });
