import type { ActionSummary } from "@marketday/contracts/admin/actions";
import type { StaffActionState } from "@marketday/domain/staff-actions";
import { addMs } from "@marketday/domain/time";

import type { Db } from "../../../../prisma/src/client.ts";

interface NewAction {
  staffId: number;
  hubId: number;
  summary: ActionSummary;
  /** How long it is held, ms; null: it was done at once. */
  holdMs: number | null;
  /** How far in the future it was done, ms: its toast is shown for ten seconds after it was done, and a slow page learns of it later. */
  aheadMs?: number;
}

/** What a person of the staff did, as it is listed and undone: of what it was done to, nothing is changed. Answers its id. */
export async function createStaffAction(
  db: Db,
  { staffId, hubId, summary, holdMs, aheadMs = 0 }: NewAction,
): Promise<number> {
  const now = addMs(new Date(), aheadMs);
  const delivery = await db.delivery.findFirstOrThrow({ where: { hub_id: hubId }, orderBy: { day: "asc" } });
  const { id } = await db.staff_action.create({
    data: {
      staff_id: staffId,
      kind: summary.kind,
      hub_id: hubId,
      delivery_id: delivery.id,
      subject: summary.kind === "short" ? `shortage:${summary.shortageId}` : "order:1",
      input: {},
      summary,
      state: holdMs === null ? "done" : "held",
      due_at: holdMs === null ? null : new Date(now.getTime() + holdMs),
      created_at: now,
      ended_at: holdMs === null ? now : null,
    },
  });
  return id;
}

/** What became of a held action, as the job that does them leaves it. */
export async function endStaffAction(
  db: Db,
  { id, state, problem = null }: { id: number; state: StaffActionState; problem?: string | null },
): Promise<void> {
  await db.staff_action.update({ where: { id }, data: { state, problem, ended_at: new Date() } });
}
