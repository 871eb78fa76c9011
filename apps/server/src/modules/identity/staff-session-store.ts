import type { Client } from "@marketday/db";

import type { StaffId } from "./context.ts";

/** A staff session with its person and their roles; null when there is none. */
export const findStaffSession = (db: Client, sessionId: string) =>
  db.staff_session.findUnique({
    where: { id: sessionId },
    select: {
      id: true,
      created_at: true,
      last_seen_at: true,
      stepped_up_at: true,
      ended_at: true,
      staff: {
        select: {
          id: true,
          email: true,
          name: true,
          disabled_at: true,
          grants: { select: { role: true, hub_id: true }, orderBy: { id: "asc" } },
        },
      },
    },
  });
export type StaffSessionRow = NonNullable<Awaited<ReturnType<typeof findStaffSession>>>;

/** Stores a session that begins with a proof of identity. */
export async function insertStaffSession(
  db: Client,
  { id, staffId, userAgent, now }: { id: string; staffId: StaffId; userAgent: string; now: Date },
): Promise<void> {
  await db.staff_session.create({
    data: {
      id,
      staff_id: staffId,
      user_agent: userAgent.slice(0, 300),
      created_at: now,
      last_seen_at: now,
      stepped_up_at: now,
    },
  });
}

export async function touchStaffSession(db: Client, sessionId: string, now: Date): Promise<void> {
  await db.staff_session.updateMany({ where: { id: sessionId }, data: { last_seen_at: now } });
}
