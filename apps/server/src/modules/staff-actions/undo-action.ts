import { transaction } from "@marketday/db";
import { can } from "@marketday/domain/staff";
import { STAFF_ACTION_PERMISSION, type StaffActionKind } from "@marketday/domain/staff-actions";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { actionKind } from "./kinds.ts";
import { type ActionRow, findAction, markUndone } from "./store.ts";

/** Whether a person may undo an action, and it can be: the reversal may still be refused. */
export function canUndo(actor: StaffActor, { kind: name, state, hub_id: hubId }: ActionRow): boolean {
  const kind = name as StaffActionKind;
  if (!can(actor.grants, STAFF_ACTION_PERMISSION[kind], hubId)) return false;
  return state === "held" || (state === "done" && actionKind(kind).reverse !== undefined);
}

/**
 * Undoes an action: a held one will not be done, one that was done is reversed where its kind can be. Twice is once.
 * @throws AppError 404 when there is none in the person's markets; 403; 409 `already_done`, and what the reversal is refused for
 */
export async function undoAction(ctx: Context, actor: StaffActor, id: number): Promise<ActionRow> {
  const { db } = ctx.deps;
  const action = await findAction(db, id);
  if (!action || !can(actor.grants, "orders.read", action.hub_id)) throw notFound();
  const kind = action.kind as StaffActionKind;
  if (!can(actor.grants, STAFF_ACTION_PERMISSION[kind], action.hub_id))
    throw new AppError(403, `You may not do that in ${action.hub.name}.`, { code: "forbidden" });
  const { reverse, putBack } = actionKind(kind);
  const isUndone =
    action.state === "undone" ||
    (await transaction(db, async (tx) => {
      if (!(await markUndone(tx, id, "held", ctx.now))) return false;
      await putBack?.(ctx, tx, action);
      await writeAuditEntry(tx, ctx, { action: `${kind} undo`, subject: action.subject, reason: "" });
      return true;
    }));
  if (!isUndone) {
    const current = await findAction(db, id);
    if (current?.state === "done" && reverse) {
      await reverse(ctx, action);
      await markUndone(db, id, "done", ctx.now);
    } else if (current?.state !== "undone")
      throw new AppError(409, "This has been done since, and can no longer be undone.", { code: "already_done" });
  }
  return (await findAction(db, id))!;
}
