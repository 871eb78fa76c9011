import type { Tx } from "@marketday/db";
import { deviceName } from "@marketday/domain/device";

import { newUuid } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffId } from "../identity/context.ts";
import {
  endOldestStaffSessions,
  endOwnStaffSession,
  findStaffSession,
  insertStaffSession,
} from "../identity/staff-session-store.ts";
import { type StaffSession, toStaffSession } from "../identity/staff-sessions.ts";
import { type Factor, ProofRefused, subjectOf } from "./refusal.ts";

/** The browser that signs in. */
export interface Browser {
  userAgent: string;
  /** Its staff session so far, which ends. */
  session: StaffSession | null;
}

/**
 * Starts a session under a new id, in the transaction that used up the proof. The caller has locked the person.
 * @throws ProofRefused 401 `sign_in_failed` for a person who was disabled
 */
export async function startSession(
  tx: Tx,
  { now }: Context,
  { staffId, factor, browser }: { staffId: StaffId; factor: Factor; browser: Browser },
): Promise<StaffSession> {
  const before = browser.session?.actor;
  if (before) await endOwnStaffSession(tx, before.staffId, before.sessionId, now);
  const id = newUuid();
  await insertStaffSession(tx, { id, staffId, userAgent: browser.userAgent, now });
  await endOldestStaffSessions(tx, staffId, now);
  const row = await findStaffSession(tx, id);
  if (!row) throw new Error("a session that was inserted is missing");
  const { email, disabled_at } = row.staff;
  // In the meantime.
  if (disabled_at !== null)
    throw new ProofRefused({ person: { id: staffId, email }, factor, reason: "disabled person" });
  const session = toStaffSession(row);
  await writeAuditEntry(
    tx,
    { now, actor: session.actor },
    {
      action: "staff sign-in",
      subject: subjectOf(session.actor),
      reason: "",
      data: { factor, device: deviceName(browser.userAgent) },
    },
  );
  return session;
}
