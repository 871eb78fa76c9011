import type { Tx } from "@marketday/db";

import type { StaffActor } from "./context.ts";
import { signInRequired } from "./guards.ts";

/**
 * Guard of changes of who can sign in, once the transaction holds its lock: the session is still open. Before that a request waits for
 * its body and for the lock; meanwhile the session may have been ended, and the person reset or disabled.
 * @throws AppError 401 `sign_in_required`
 */
export async function requireOpenSession(tx: Tx, { staffId, sessionId, apiKey }: StaffActor): Promise<void> {
  // A key has no session, and changes no sign-in.
  if (apiKey) throw signInRequired();
  const open = { id: sessionId, staff_id: staffId, ended_at: null, staff: { disabled_at: null } };
  if ((await tx.staff_session.count({ where: open })) === 0) throw signInRequired();
}
