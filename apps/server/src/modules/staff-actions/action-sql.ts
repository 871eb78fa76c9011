import { type AnyTx, execute, queryOne, sql } from "@marketday/db";
import type { StaffActionKind } from "@marketday/domain/staff-actions";
import { z } from "zod";

import type { StaffId } from "../identity/context.ts";

interface NewAction {
  staffId: StaffId;
  kind: StaffActionKind;
  hubId: number | null;
  deliveryId: number | null;
  subject: string;
  input: object;
  summary: object;
  /** Null: it is done. */
  dueAt: Date | null;
  now: Date;
}

/** Writes an action, in whichever transaction it is done: an import has one of SQL alone. @returns its id */
export async function insertAction(tx: AnyTx, action: NewAction): Promise<number> {
  const row = await queryOne(
    tx,
    sql`insert into staff_action (staff_id, kind, hub_id, delivery_id, subject, input, summary, state, due_at, created_at, ended_at)
        values (${action.staffId}::int, ${action.kind}, ${action.hubId}::int, ${action.deliveryId}::int, ${action.subject},
          ${JSON.stringify(action.input)}::jsonb, ${JSON.stringify(action.summary)}::jsonb, ${action.dueAt === null ? "done" : "held"},
          ${action.dueAt}::timestamptz, ${action.now}::timestamptz, ${action.dueAt === null ? action.now : null}::timestamptz)
        returning id`,
    z.object({ id: z.number() }),
  );
  return row!.id;
}

/** Ends an action that is in this state as undone; with `input`, only while it is its input. False: it is no longer. */
export async function endAction(
  tx: AnyTx,
  id: number,
  from: "held" | "done",
  { state, now, input }: { state: "undone"; now: Date; input?: unknown },
): Promise<boolean> {
  const isSame = input === undefined ? sql`true` : sql`input = ${JSON.stringify(input)}::jsonb`;
  const count = await execute(
    tx,
    sql`update staff_action set state = ${state}, ended_at = ${now}::timestamptz where id = ${id}::int and state = ${from} and ${isSame}`,
  );
  return count === 1;
}
