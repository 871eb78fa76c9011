import type { Client, Tx } from "@marketday/db";
import { can } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { asStaffId, type Context, type StaffId } from "../identity/context.ts";
import { requireOpenSession } from "../identity/open-session.ts";
import { toGrants } from "./roles.ts";
import { canSignIn, toStaffMember } from "./serialize.ts";
import { lockStaff } from "./staff-sql.ts";
import { countOtherOwners, findMember, type MemberRow } from "./store.ts";

/** The one who is changed, and how. */
export interface Change {
  id: number;
  /** The version that was shown; null: of the command line, which shows none. */
  expectedVersion: number | null;
  /** For the audit log. */
  reason?: string;
  dryRun?: boolean;
}

/** 409: no owner would be left who can sign in (docs/failures.md N4). */
const lastOwner = (member: MemberRow) =>
  new AppError(
    409,
    `${member.name} is the last owner${canSignIn(member) ? " who can sign in" : ""}. Make someone else an owner first.`,
    { code: "last_owner" },
  );

/**
 * @throws AppError 409 `last_owner` when a person is an owner, and no other one would be left. An invited owner who has not set up
 * their sign-in replaces only another one.
 */
export async function requireOtherOwner(tx: Tx, member: MemberRow): Promise<void> {
  const isOwner = member.disabled_at === null && member.grants.some(({ role }) => role === "owner");
  if (isOwner && (await countOtherOwners(tx, member.id, canSignIn(member))) === 0) throw lastOwner(member);
}

/** The request was allowed before it waited for the lock. @throws AppError 401 when its session has ended, 403 when it no longer is */
async function requireStillAllowed(tx: Tx, { actor, now }: Context): Promise<void> {
  if (actor.type !== "staff") return;
  await requireOpenSession(tx, actor);
  const self = await findMember(tx, actor.staffId, now);
  if (!self || self.disabled_at !== null || !can(toGrants(self.grants), "staff.write", "all"))
    throw new AppError(403, "You may not do that.", { code: "forbidden", permission: "staff.write" });
}

/** Runs a change of the staff, one at a time. */
export const changeStaff = <T>(ctx: Context, dryRun: boolean, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    await lockStaff(tx);
    await requireStillAllowed(tx, ctx);
    return work(tx);
  });

/** A person as they are now. @throws AppError 404 */
export async function getMember(tx: Client, id: number, now: Date): Promise<MemberRow> {
  const member = await findMember(tx, id, now);
  if (!member) throw new AppError(404, `No one on the staff has the id ${id}.`, { code: "not_found" });
  return member;
}

/**
 * Runs a change of one person, who is as `expectedVersion` says.
 * @throws AppError 404; 409 `conflict` with the person as `current` when someone else has changed them (docs/failures.md N1)
 */
export const changeMember = <T>(
  ctx: Context,
  { id, expectedVersion, dryRun = false }: Change,
  work: (tx: Tx, member: MemberRow, staffId: StaffId) => Promise<T>,
): Promise<T> =>
  changeStaff(ctx, dryRun, async (tx) => {
    const member = await getMember(tx, id, ctx.now);
    if (expectedVersion !== null && member.version !== expectedVersion)
      throw new AppError(409, `${member.name} was changed in the meantime. Check the new values and try again.`, {
        code: "conflict",
        current: toStaffMember(member),
      });
    return work(tx, member, asStaffId(id));
  });
