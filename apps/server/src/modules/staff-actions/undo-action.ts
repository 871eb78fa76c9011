import { type AnyTx, transaction } from "@marketday/db";
import { can, type Permission } from "@marketday/domain/staff";
import { STAFF_ACTION_PERMISSION, STAFF_ACTION_UNDO_MS, type StaffActionKind } from "@marketday/domain/staff-actions";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { endAction } from "./action-sql.ts";
import { actionKind } from "./kinds.ts";
import { type ActionRow, findAction } from "./store.ts";

/** Whether a person has a permission in the market of an action; of one of no market: in every market, or anywhere when it is their own. */
const mayOn = ({ grants, staffId }: StaffActor, permission: Permission, { hub_id: hubId, staff }: ActionRow): boolean =>
  can(grants, permission, hubId ?? (staff.id === staffId ? "any" : "all"));

/** Whether a person may undo an action, and it can be: the reversal may still be refused. */
export function canUndo(actor: StaffActor, action: ActionRow): boolean {
  const { state } = action;
  const kind = action.kind as StaffActionKind;
  if (!mayOn(actor, STAFF_ACTION_PERMISSION[kind], action)) return false;
  return state === "held" || (state === "done" && actionKind(kind).reverse !== undefined);
}

/** Whether an action was done so long ago that it is no longer undone. */
export const isTooOld = ({ created_at: createdAt }: Pick<ActionRow, "created_at">, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > STAFF_ACTION_UNDO_MS;
const tooOld = () =>
  new AppError(409, "This was done more than 30 days ago, and can no longer be undone.", { code: "too_old" });

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

/** Its entry names the action, as those of what it undoes do. */
const auditUndo = (tx: AnyTx, ctx: Context, { id, kind, subject }: ActionRow) =>
  writeAuditEntry(tx, { ...ctx, actionId: id }, { action: `${kind} undo`, subject, reason: "" });

/** Undoes a held action. False: it is no longer held. */
const takeBack = (ctx: Context, action: ActionRow): Promise<boolean> =>
  transaction(ctx.deps.db, async (tx) => {
    if (!(await endAction(tx, action.id, "held", { state: "undone", now: ctx.now }))) return false;
    await actionKind(action.kind as StaffActionKind).putBack?.(ctx, tx, action);
    await auditUndo(tx, ctx, action);
    return true;
  });

/** Reverses an action that was done. False: it changed meanwhile. @throws AppError with the reason when it cannot be */
async function reverseDone(ctx: Context, action: ActionRow): Promise<boolean> {
  const { reverse, logsUndo } = actionKind(action.kind as StaffActionKind);
  if (!reverse) throw tooLate(action);
  try {
    await reverse({ ...ctx, actionId: action.id }, action, async (tx) => {
      const end = { state: "undone", now: ctx.now, input: action.input } as const;
      if (!(await endAction(tx, action.id, "done", end))) throw new ActionChanged();
      if (!logsUndo) await auditUndo(tx, ctx, action);
    });
    return true;
  } catch (error) {
    if (error instanceof ActionChanged) return false;
    // Undone by someone else at the same moment: that, not what is refused since, is the answer.
    if (error instanceof AppError && (await findAction(ctx.deps.db, action.id))?.state === "undone") return false;
    throw error;
  }
}

/**
 * Undoes an action: a held one will not be done, one that was done is reversed where its kind can be. Twice is once.
 * @throws AppError 404 when there is none in the person's markets; 403; 409 `already_done`, `refused` when it was never done, `too_old`
 * after 30 days, and what the reversal is refused for
 */
export async function undoAction(ctx: Context, actor: StaffActor, id: number): Promise<ActionRow> {
  const action = await findAction(ctx.deps.db, id);
  if (!action) throw notFound();
  const permission = STAFF_ACTION_PERMISSION[action.kind as StaffActionKind];
  if (![permission, "orders.read" as const].some((each) => mayOn(actor, each, action))) throw notFound();
  if (!mayOn(actor, permission, action))
    throw new AppError(403, `You may not do that in ${action.hub?.name ?? "every market"}.`, { code: "forbidden" });
  switch (action.state) {
    case "undone":
      return action;
    case "held":
      await takeBack(ctx, action);
      break;
    case "done":
      if (isTooOld(action, ctx.now)) throw tooOld();
      await reverseDone(ctx, action);
      break;
    default:
      throw tooLate(action);
  }
  // As it is now; what changed it meanwhile is read again.
  return undoAction(ctx, actor, id);
}

/** In the transaction of a reversal that is only tried: it is rolled back. */
class OnlyTried extends Error {}

/**
 * Why a person cannot undo an action now, as a sentence; null: they can. What was done is reversed in a transaction that is rolled back, so
 * the answer is that of `undoAction`.
 */
export async function whyNotUndo(ctx: Context, actor: StaffActor, action: ActionRow): Promise<string | null> {
  if (!mayOn(actor, STAFF_ACTION_PERMISSION[action.kind as StaffActionKind], action))
    return `You may not undo this in ${action.hub?.name ?? "every market"}.`;
  if (action.state === "held") return null;
  const { reverse } = actionKind(action.kind as StaffActionKind);
  if (action.state !== "done" || !reverse) return tooLate(action).message;
  if (isTooOld(action, ctx.now)) return tooOld().message;
  try {
    await reverse({ ...ctx, actionId: action.id }, action, () => Promise.reject(new OnlyTried()));
    return null;
  } catch (error) {
    if (error instanceof OnlyTried) return null;
    // While a file is imported it is refused for the moment.
    if (error instanceof AppError && (error.status < 500 || error.details["code"] === "busy")) return error.message;
    throw error;
  }
}
