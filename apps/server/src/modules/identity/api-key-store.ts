import type { ApiKey } from "@marketday/contracts/admin/api-keys";
import type { Client } from "@marketday/db";
import { type Grant, hubsWith, type Permission, PERMISSIONS, type Role } from "@marketday/domain/staff";

import type { StaffId } from "./context.ts";

/** A person who has not been disabled and has what a sign-in needs. */
const canSignIn = {
  disabled_at: null,
  OR: [{ password_hash: { not: null } }, { passkeys: { some: {} } }],
};

/** A key that was not revoked, of a person who can sign in, with their roles. It may have expired. */
export const findApiKey = (db: Client, hash: string) =>
  db.staff_api_key.findUnique({
    where: { key_hash: hash, revoked_at: null, staff: canSignIn },
    select: {
      id: true,
      name: true,
      permissions: true,
      expires_at: true,
      last_used_at: true,
      staff: {
        select: {
          id: true,
          email: true,
          name: true,
          grants: { select: { role: true, hub_id: true }, orderBy: { id: "asc" } },
        },
      },
    },
  });
export type ApiKeyRow = NonNullable<Awaited<ReturnType<typeof findApiKey>>>;

/** A key that exists, whether or not it works, with the address of its person. */
export const findAnyApiKey = (db: Client, hash: string) =>
  db.staff_api_key.findUnique({
    where: { key_hash: hash },
    select: { id: true, name: true, expires_at: true, revoked_at: true, staff: { select: { email: true } } },
  });

/** Stores a use of a key. */
export async function touchApiKey(db: Client, id: number, now: Date): Promise<void> {
  await db.staff_api_key.updateMany({ where: { id }, data: { last_used_at: now } });
}

/** A person's keys that were not revoked, expired ones included, the newest first. */
export const findApiKeys = (db: Client, staffId: StaffId) =>
  db.staff_api_key.findMany({
    where: { staff_id: staffId, revoked_at: null },
    select: {
      id: true,
      name: true,
      start: true,
      permissions: true,
      created_at: true,
      expires_at: true,
      last_used_at: true,
      staff: { select: { grants: { select: { role: true, hub_id: true } } } },
    },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
  });

/** The permissions of a key that this version knows. A check of the database holds the roles. */
const permissionsOf = ({ permissions }: { permissions: string[] }): Permission[] =>
  PERMISSIONS.filter((permission) => permissions.includes(permission));

/** Keys as the admin API has them. */
export const toApiKeys = (rows: Awaited<ReturnType<typeof findApiKeys>>, now: Date): ApiKey[] =>
  rows.map((row) => {
    const grants: Grant[] = row.staff.grants.map(({ role, hub_id }) => ({ role: role as Role, hubId: hub_id }));
    const permissions = permissionsOf(row);
    return {
      id: row.id,
      name: row.name,
      start: row.start,
      permissions,
      lost: permissions.filter((permission) => hubsWith(grants, permission).length === 0),
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      isExpired: row.expires_at <= now,
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    };
  });

/** Revokes one key of a person, or all of them; a trigger notifies every server. @returns their names */
export async function revokeApiKeys(db: Client, staffId: StaffId, which: number | "all", now: Date): Promise<string[]> {
  const revoked = await db.staff_api_key.updateManyAndReturn({
    where: { staff_id: staffId, revoked_at: null, ...(which !== "all" && { id: which }) },
    data: { revoked_at: now },
    select: { name: true },
  });
  return revoked.map(({ name }) => name);
}

/** Deletes keys that were revoked or expired before an instant: at most `rows` at once. */
export const deleteOldApiKeys = async (db: Client, before: Date, rows: number): Promise<number> =>
  (
    await db.staff_api_key.deleteMany({
      where: { OR: [{ revoked_at: { lt: before } }, { expires_at: { lt: before } }] },
      limit: rows,
    })
  ).count;
