import type { AccountSession } from "@marketday/contracts/account";
import { deviceName } from "@marketday/domain/device";
import { addMs, Day } from "@marketday/domain/time";

import type { Context } from "../identity/context.ts";
import { requireCustomer } from "../identity/guards.ts";
import { findOpenSessions } from "../identity/session-store.ts";

/** A customer's sessions: the current one first, then by last use. */
export async function listSessions({ deps, actor, now }: Context): Promise<AccountSession[]> {
  const customerId = requireCustomer(actor);
  const current = actor.type === "customer" ? actor.sessionId : null;
  const since = {
    seen: addMs(now, -deps.env.sessionIdleDays * Day.ms),
    created: addMs(now, -deps.env.sessionAbsoluteDays * Day.ms),
  };
  const rows = await findOpenSessions(deps.db, customerId, since);
  const sessions = rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    isCurrent: row.id === current,
  }));
  return [...sessions.filter(({ isCurrent }) => isCurrent), ...sessions.filter(({ isCurrent }) => !isCurrent)];
}
