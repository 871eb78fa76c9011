import { transaction } from "@marketday/db";
import { can, type Grant, type Role } from "@marketday/domain/staff";
import { STAFF_ACTION_PERMISSION, type StaffActionKind } from "@marketday/domain/staff-actions";
import { addMs, Day, Minute, Second } from "@marketday/domain/time";

import { AppError } from "../../lib/app-error.ts";
import { asStaffId, type Context, type StaffActor } from "../identity/context.ts";
import { runEach, SWEEP_PAUSE_MAX_MS } from "../job-failures/run-each.ts";
import { ActionPaused, actionKind } from "./kinds.ts";
import { type ActionRow, claimAction, endClaimed, findDueActions, releaseAction } from "./store.ts";

/** An action that could not be done for so long, and has not begun, is refused. */
const TRIED_FOR_MS = 1 * Day.ms;
/** Time after which an action that waits for a charge is tried again. */
const CHARGE_PAUSE_MS = 5 * Second.ms;
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

const isBegun = async (ctx: Context, action: ActionRow): Promise<boolean> =>
  (await actionKind(action.kind as StaffActionKind).isBegun?.(ctx, action)) ?? false;

/**
 * Does a claimed action as its person.
 * @returns what of it could not be done. @throws AppError below 500 to refuse it; any other error to try it again
 */
async function perform(ctx: Context, action: ActionRow): Promise<string | null> {
  const kind = action.kind as StaffActionKind;
  if (!can(grantsOf(action), STAFF_ACTION_PERMISSION[kind], action.hub_id ?? "all") && !(await isBegun(ctx, action)))
    throw new AppError(403, `${action.staff.name} may no longer do that.`, { code: "forbidden" });
  const { run } = actionKind(kind);
  if (!run) throw new Error(`An action of kind ${kind} is held, and nothing does it.`);
  return run(ctx, action);
}

/** Does one action. @throws what its kind throws, when it is to be tried again */
async function runAction(ctx: Context, action: ActionRow): Promise<"done" | "skipped"> {
  const { deps, now } = ctx;
  const lease = addMs(deps.clock.now(), LEASE_MS);
  const claim = { id: action.id, lease };
  if (!(await claimAction(deps.db, claim, now))) return "skipped";
  const own: Context = { ...ctx, actor: actorOf(action), actionId: action.id };
  try {
    await deps.failpoint("staff-action:claimed");
    const problem = await perform(own, action);
    await deps.failpoint("staff-action:done");
    return (await endClaimed(deps.db, claim, { state: "done", problem, now: deps.clock.now() })) ? "done" : "skipped";
  } catch (error) {
    if (error instanceof ActionPaused) {
      await releaseAction(deps.db, claim, "running", now);
      return "skipped";
    }
    const hasBegun = await isBegun(own, action);
    const problem = hasBegun ? null : refusalOf(error, action, deps.clock.now());
    if (problem === null) {
      // No other server works on an action that was held until now.
      const state = action.state === "held" && !hasBegun ? "held" : "running";
      // Without its claim, another server has it or has done it.
      const dueAt = isCharging(error) ? addMs(deps.clock.now(), CHARGE_PAUSE_MS) : now;
      if (!(await releaseAction(deps.db, claim, state, dueAt))) return "skipped";
      if (isCharging(error)) return "skipped";
      throw error;
    }
    return transaction(deps.db, async (tx) => {
      if (!(await endClaimed(tx, claim, { state: "refused", problem, now: deps.clock.now() }))) return "skipped";
      await actionKind(action.kind as StaffActionKind).putBack?.(own, tx, action);
      return "done";
    });
  }
}

/** The charge of an order ends soon: the action waits for it. */
const isCharging = (error: unknown): boolean => error instanceof AppError && error.details.code === "still_charging";

/** Why an action that has not begun is not done; null: it is tried again. */
function refusalOf(error: unknown, { created_at: createdAt }: ActionRow, now: Date): string | null {
  if (error instanceof AppError && error.status < 500 && !isCharging(error)) return error.message;
  if (now.getTime() - createdAt.getTime() < TRIED_FOR_MS) return null;
  return error instanceof AppError ? error.message : "It failed for a day. Nothing was done.";
}

const runDue = async (ctx: Context, job: string, kinds: readonly StaffActionKind[]): Promise<number> =>
  runEach(ctx, {
    job,
    items: await findDueActions(ctx.deps.db, kinds, ctx.now),
    subjectOf: ({ id, subject }) => `action ${id} on ${subject}`,
    run: (action) => runAction(ctx, action),
    isComplete: true,
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
  });

/** Does the held actions whose time has come, and those that a killed server had begun (failures.md M3); all kinds but shortages and those of many orders. */
export const runDueActions = (ctx: Context): Promise<number> =>
  runDue(ctx, "staff-actions", [
    "cancel_order",
    "resend_mail",
    "refund_order",
    "short_order",
    "move_order",
    "send_note",
    "inbox_reply",
  ]);

/** The same for shortages. A run with hundreds of boxes takes minutes, and others do not wait for it. */
export const runDueShorts = (ctx: Context): Promise<number> => runDue(ctx, "settle-shorts", ["short"]);

/** The same for what is done to many orders, a piece at a time. */
export const runDueBulk = (ctx: Context): Promise<number> =>
  runDue(ctx, "bulk-actions", ["bulk_cancel", "bulk_charge", "bulk_message"]);
