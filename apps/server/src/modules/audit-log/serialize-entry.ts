import type { AuditEntry } from "@marketday/contracts/admin/audit";
import { AUDIT_KINDS } from "@marketday/domain/audit";
import type { StaffActionState } from "@marketday/domain/staff-actions";

import type { StaffActor } from "../identity/context.ts";
import type { ActionRow } from "../staff-actions/store.ts";
import { canUndo, isTooOld } from "../staff-actions/undo-action.ts";
import type { AuditRow } from "./entries-sql.ts";

/** "order:397120862" → "order", "397120862". */
const split = (text: string): [string, string] => {
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};

/** Who did it. What the market has no name for, an operator or a job, has its own; a shopper none, when the reader may not read people. */
export function byOf({ actor, actorName }: Pick<AuditRow, "actor" | "actorName">): AuditEntry["by"] {
  const [kind, name] = split(actor);
  const known = AUDIT_KINDS.find((each) => each === kind);
  const own = kind === "customer" ? "" : name === "" ? kind : name;
  return { kind: known ?? "other", ref: actor, name: actorName ?? own };
}

/** The action of the staff that an entry belongs to. */
export const actionIdOf = ({ data }: Pick<AuditRow, "data">): number | null =>
  Number.isSafeInteger(data["actionId"]) ? (data["actionId"] as number) : null;

interface Reader {
  actor: StaffActor;
  now: Date;
  actions: ReadonlyMap<number, ActionRow>;
}

function changeOf(row: AuditRow, { actor, now, actions }: Reader): AuditEntry["change"] {
  const action = actions.get(actionIdOf(row) ?? 0);
  if (!action) return null;
  // A check of the database holds the states.
  const state = action.state as StaffActionState;
  return { id: action.id, state, canUndo: canUndo(actor, action) && (state === "held" || !isTooOld(action, now)) };
}

/** An entry as a person reads it. */
export function toAuditEntry(row: AuditRow, reader: Reader): AuditEntry {
  const [kind, id] = split(row.subject);
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    by: byOf(row),
    action: row.action,
    subject: { kind, id, name: row.subjectName ?? "" },
    reason: row.reason,
    data: row.data,
    isCut: row.isCut,
    hub: row.hub,
    day: row.day,
    change: changeOf(row, reader),
  };
}
