import type { Client } from "@marketday/db";
import { type Grant, MARKET_ROLES, type Role } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";

/** A stored role; `hub` null: in every market. */
export interface StoredGrant {
  role: string;
  hub_id: number | null;
  hub: { id: number; name: string } | null;
}

const TITLES: Readonly<Record<Role, string>> = {
  owner: "Owner",
  manager: "Manager",
  hub_lead: "Market lead",
  support: "Support",
  bookkeeper: "Bookkeeper",
  editor: "Editor",
  depot_lead: "Depot lead",
  auditor: "Auditor",
};

/** A check of the database holds the roles. */
const roleOf = ({ role }: StoredGrant): Role => role as Role;

/** Grants as the domain has them. */
export const toGrants = (stored: readonly StoredGrant[]): Grant[] =>
  stored.map((grant) => ({ role: roleOf(grant), hubId: grant.hub_id }));

/** Roles as the admin API has them. */
export const toStaffRoles = (stored: readonly StoredGrant[]) =>
  stored.map((grant) => ({ role: roleOf(grant), hub: grant.hub }));

/** "Owner", "Market lead (Carmel)". */
export const formatRole = ({ role, hub }: { role: Role; hub: { name: string } | null }): string =>
  hub === null ? TITLES[role] : `${TITLES[role]} (${hub.name})`;

/** Grants for the audit log, which outlives hubs and their names: "hub_lead:3". */
export const formatGrants = (grants: readonly Grant[]): string[] =>
  grants.map(({ role, hubId }) => (hubId === null ? role : `${role}:${hubId}`)).toSorted();

/** 400 for a market that does not exist, by its id or slug. */
const unknownHub = (key: number | string) =>
  new AppError(400, `There is no market “${key}”.`, { code: "invalid", field: "roles" });

/**
 * Requested grants, each once.
 * @throws AppError 400 `invalid` for a role of the whole market in one hub, or a hub that does not exist
 */
export async function checkGrants(db: Client, requested: readonly Grant[]): Promise<Grant[]> {
  const grants = [...new Map(requested.map((grant) => [`${grant.role} ${grant.hubId}`, grant])).values()];
  for (const { role, hubId } of grants)
    if (hubId !== null && MARKET_ROLES.includes(role))
      throw new AppError(400, `${TITLES[role]} is a role of the whole market, not of one hub.`, {
        code: "invalid",
        field: "roles",
      });
  const wanted = [...new Set(grants.flatMap(({ hubId }) => (hubId === null ? [] : [hubId])))];
  const found = await db.hub.findMany({ where: { id: { in: wanted } }, select: { id: true } });
  const ids = new Set(found.map(({ id }) => id));
  const missing = wanted.find((id) => !ids.has(id));
  if (missing !== undefined) throw unknownHub(missing);
  return grants;
}

/**
 * The id of a hub by its slug. An id is returned as it is: `checkGrants` checks it.
 * @throws AppError 400 `invalid`
 */
export async function hubIdNamed(db: Client, key: string): Promise<number> {
  const hub = await db.hub.findUnique({ where: { slug: key }, select: { id: true } });
  if (hub) return hub.id;
  if (/^[1-9]\d{0,8}$/.test(key)) return Number(key);
  throw unknownHub(key);
}
