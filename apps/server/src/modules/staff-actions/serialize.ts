import { ActionSummary, type StaffAction } from "@marketday/contracts/admin/actions";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import type { StaffActionState } from "@marketday/domain/staff-actions";

import type { StaffActor } from "../identity/context.ts";
import type { ActionRow } from "./store.ts";
import { canUndo } from "./undo-action.ts";

/** An action as a person reads it. */
export const toStaffAction = (action: ActionRow, actor: StaffActor): StaffAction => ({
  id: action.id,
  summary: ActionSummary.parse(action.summary),
  // A check of the database holds the states.
  state: action.state as StaffActionState,
  hub: action.hub && {
    id: action.hub.id,
    slug: action.hub.slug,
    name: action.hub.name,
    timeZone: action.hub.time_zone,
  },
  day: action.delivery && dateFromUtc(action.delivery.day),
  by: action.staff.name,
  isOwn: action.staff.id === actor.staffId,
  canUndo: canUndo(actor, action),
  createdAt: action.created_at.toISOString(),
  dueAt: action.state === "held" ? action.due_at!.toISOString() : null,
  endedAt: action.ended_at?.toISOString() ?? null,
  problem: action.problem,
});
