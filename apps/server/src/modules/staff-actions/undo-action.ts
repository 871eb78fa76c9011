import { transaction } from "@marketday/db";
import { can } from "@marketday/domain/staff";
import { STAFF_ACTION_PERMISSION, type StaffActionKind } from "@marketday/domain/staff-actions";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { actionKind } from "./kinds.ts";
import { type ActionRow, endAction, findAction } from "./store.ts";

/** Whether a person may undo an action, and it can be: the reversal may still be refused. */
export function canUndo(actor: StaffActor, { kind: name, state, hub_id: hubId }: ActionRow): boolean {
  const kind = name as StaffActionKind;
  if (!can(actor.grants, STAFF_ACTION_PERMISSION[kind], hubId)) return false;
  return state === "held" || (state === "done" && actionKind(kind).reverse !== undefined);
}

/** What can no longer be undone, and why. */
function tooLate({ state, problem }: ActionRow): AppError {
  if (state === "running")
    return new AppError(409, "This is being done right now, and can no longer be undone.", { code: "already_done" });
  if (state === "refused")
    return new AppError(409, `This was not done, so there is nothing to undo: ${problem}`, { code: "refused" });
  return new AppError(409, "This has been done since, and can no longer be undone.", { code: "already_done" });
}

/** In the transaction of a reversal: the action was undone or changed meanwhile, so the reversal is rolled back. */
class ActionChanged extends Error {}

/** Undoes a held action. False: it is no longer held. */
const takeBack = (ctx: Context, action: ActionRow): Promise<boolean> =>
  transaction(ctx.deps.db, async (tx) => {
    if (!(await endAction(tx, action.id, "held", { state: "undone", now: ctx.now }))) return false;
    await actionKind(action.kind as StaffActionKind).putBack?.(ctx, tx, action);
    await writeAuditEntry(tx, ctx, {
      action: `${action.kind} undo`,
      subject: action.subject,
      reason: "",
      data: { actionId: action.id },
    });
    return true;
  });

/** Reverses an action that was done. False: it changed meanwhile. @throws AppError with the reason when it cannot be */
async function reverseDone(ctx: Context, action: ActionRow): Promise<boolean> {
  const { reverse } = actionKind(action.kind as StaffActionKind);
  if (!reverse) throw tooLate(action);
  try {
    await reverse(ctx, action, async (tx) => {
      const end = { state: "undone", now: ctx.now, input: action.input } as const;
      if (!(await endAction(tx, action.id, "done", end))) throw new ActionChanged();
    });
    return true;
  } catch (error) {
    if (error instanceof ActionChanged) return false;
    throw error;
  }
}

/**
 * Undoes an action: a held one will not be done, one that was done is reversed where its kind can be. Twice is once.
 * @throws AppError 404 when there is none in the person's markets; 403; 409 `already_done`, `refused` when it was never done, and what the
 * reversal is refused for
 */
export async function undoAction(ctx: Context, actor: StaffActor, id: number): Promise<ActionRow> {
  const action = await findAction(ctx.deps.db, id);
  if (!action || !can(actor.grants, "orders.read", action.hub_id)) throw notFound();
  if (!can(actor.grants, STAFF_ACTION_PERMISSION[action.kind as StaffActionKind], action.hub_id))
    throw new AppError(403, `You may not do that in ${action.hub.name}.`, { code: "forbidden" });
  switch (action.state) {
    case "undone":
      return action;
    case "held":
      await takeBack(ctx, action);
      break;
    case "done":
      await reverseDone(ctx, action);
      break;
    default:
      throw tooLate(action);
  }
  // As it is now; what changed it meanwhile is read again.
  return undoAction(ctx, actor, id);
}
