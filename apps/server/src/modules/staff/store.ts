import type { Client, Prisma, Tx } from "@marketday/db";
import type { Grant } from "@marketday/domain/staff";

import type { StaffId } from "../identity/context.ts";

const shownMember = (now: Date) =>
  ({
    id: true,
    name: true,
    email: true,
    version: true,
    password_hash: true,
    disabled_at: true,
    last_seen_at: true,
    grants: {
      select: { role: true, hub_id: true, hub: { select: { id: true, name: true } } },
      orderBy: [{ role: "asc" }, { hub_id: "asc" }],
    },
    _count: {
      select: {
        passkeys: true,
        recovery_codes: { where: { used_at: null } },
        links: { where: { used_at: null, expires_at: { gt: now } } },
      },
    },
  }) satisfies Prisma.staffSelect;
/** A person of the staff with their roles, and counts of what they sign in with. `links`: those that still work. */
export type MemberRow = Prisma.staffGetPayload<{ select: ReturnType<typeof shownMember> }>;

/** Everyone on the staff, disabled people included, by name. */
export const findMembers = (db: Client, now: Date): Promise<MemberRow[]> =>
  db.staff.findMany({ select: shownMember(now), orderBy: [{ name: "asc" }, { id: "asc" }] });

export const findMember = (db: Client, id: number, now: Date): Promise<MemberRow | null> =>
  db.staff.findUnique({ where: { id }, select: shownMember(now) });

/** `email` in lower case. */
export const findMemberByEmail = (db: Client, email: string, now: Date): Promise<MemberRow | null> =>
  db.staff.findUnique({ where: { email }, select: shownMember(now) });

/** Owners who have not been disabled, except one person; with `canSignIn`, only those who have a passkey or a password. */
export const countOtherOwners = (tx: Tx, id: number, canSignIn: boolean): Promise<number> =>
  tx.staff.count({
    where: {
      id: { not: id },
      disabled_at: null,
      grants: { some: { role: "owner", hub_id: null } },
      ...(canSignIn && { OR: [{ passkeys: { some: {} } }, { password_hash: { not: null } }] }),
    },
  });

export const insertMember = (tx: Tx, data: { email: string; name: string; now: Date }): Promise<{ id: number }> =>
  tx.staff.create({ data: { email: data.email, name: data.name, created_at: data.now }, select: { id: true } });

/** Changes a person and raises their version. */
export async function updateMember(
  tx: Tx,
  id: StaffId,
  data: { name?: string; disabled_at?: Date | null },
): Promise<void> {
  await tx.staff.update({ where: { id }, data: { ...data, version: { increment: 1 } }, select: { id: true } });
}

/** Replaces a person's roles. */
export async function replaceGrants(tx: Tx, id: StaffId, grants: readonly Grant[]): Promise<void> {
  await tx.staff_grant.deleteMany({ where: { staff_id: id } });
  await tx.staff_grant.createMany({
    data: grants.map(({ role, hubId }) => ({ staff_id: id, role, hub_id: hubId })),
  });
}

/** Deletes all that a person signs in with, and their unfinished challenges. */
export async function clearSignIn(tx: Tx, id: StaffId): Promise<void> {
  await tx.staff.update({
    where: { id },
    data: { password_hash: null, totp_secret: null, totp_last_step: null },
    select: { id: true },
  });
  await tx.staff_passkey.deleteMany({ where: { staff_id: id } });
  await tx.staff_recovery_code.deleteMany({ where: { staff_id: id } });
  await tx.staff_challenge.deleteMany({ where: { staff_id: id } });
}

/** Ends a person's open sessions; a trigger notifies every server. @returns how many there were */
export async function endSessions(tx: Tx, id: StaffId, now: Date): Promise<number> {
  const { count } = await tx.staff_session.updateMany({
    where: { staff_id: id, ended_at: null },
    data: { ended_at: now },
  });
  return count;
}
