import type { Db } from "../../../../prisma/src/client.ts";

/** Ends the hold of what a person of the staff has done: the job that does held actions takes them with its next run. */
export async function endHolds(db: Db, { staffId }: { staffId: number }): Promise<void> {
  await db.staff_action.updateMany({ where: { staff_id: staffId, state: "held" }, data: { due_at: new Date() } });
}
