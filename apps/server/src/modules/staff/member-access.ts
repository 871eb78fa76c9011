import { deviceName } from "@marketday/domain/device";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { findApiKeys, revokeApiKeys, toApiKeys } from "../identity/api-key-store.ts";
import { asStaffId, type Context, type StaffActor } from "../identity/context.ts";
import {
  endOtherStaffSessions,
  endOwnStaffSession,
  findOpenStaffSessions,
  toOpenSessions,
} from "../identity/staff-session-store.ts";
import { changeStaff, getMember } from "./change-member.ts";
import { lockPerson } from "./staff-sql.ts";

/** Where a person of the staff is signed in, and their API keys, as an owner sees them. @throws AppError 404 */
export async function loadMemberAccess({ deps, now }: Context, actor: StaffActor, id: number) {
  await getMember(deps.db, id, now);
  const [sessions, keys] = await Promise.all([
    findOpenStaffSessions(deps.db, asStaffId(id), now),
    findApiKeys(deps.db, asStaffId(id)),
  ]);
  return { sessions: toOpenSessions(sessions, actor), keys: toApiKeys(keys, now) };
}

const ownSession = () =>
  new AppError(409, "That is the browser you are using. Sign out in the menu instead.", { code: "own_session" });

/**
 * Ends one session of a person, or ("all") all of them except the one that ends them, at once on every server.
 * @returns how many @throws AppError 404 when it is not theirs or has ended; 409 `own_session`
 */
export const endMemberSessions = (ctx: Context, actor: StaffActor, id: number, which: string): Promise<number> =>
  changeStaff(ctx, false, async (tx) => {
    const { now } = ctx;
    const { email } = await getMember(tx, id, now);
    const staffId = asStaffId(id);
    if (which === actor.sessionId) throw ownSession();
    // A sign-in that is being stored is waited for, and ended with the others.
    await lockPerson(tx, staffId);
    const open = await findOpenStaffSessions(tx, staffId, now);
    const named = open.find((session) => session.id === which);
    let ended = 1;
    if (which === "all") ended = await endOtherStaffSessions(tx, staffId, actor.sessionId, now);
    else if (!(await endOwnStaffSession(tx, staffId, which, now))) throw notFound();
    if (ended > 0)
      await writeAuditEntry(tx, ctx, {
        action: "staff sessions end",
        subject: `staff:${email}`,
        reason: "",
        data: { sessions: ended, ...(named && { device: deviceName(named.user_agent) }) },
      });
    return ended;
  });

/**
 * Revokes one API key of a person, or all of them, at once on every server.
 * @returns how many @throws AppError 404 when it is not theirs or was revoked
 */
export const revokeMemberKeys = (ctx: Context, id: number, which: number | "all"): Promise<number> =>
  changeStaff(ctx, false, async (tx) => {
    const { email } = await getMember(tx, id, ctx.now);
    // So is a key that is being created.
    await lockPerson(tx, asStaffId(id));
    const names = await revokeApiKeys(tx, asStaffId(id), which, ctx.now);
    if (which !== "all" && names.length === 0) throw notFound();
    for (const name of names)
      await writeAuditEntry(tx, ctx, {
        action: "staff api-key revoke",
        subject: `staff:${email}`,
        reason: "",
        data: { name },
      });
    return names.length;
  });
