import type { StaffMember } from "@marketday/contracts/admin/staff";
import {
  MARKET_ROLES,
  type Permission,
  PERMISSIONS,
  type Role,
  ROLE_PERMISSIONS,
  ROLES,
} from "@marketday/domain/staff";

import * as t from "#messages/session";

/** The roles of a person, as the API has them: `hub` null is every market. */
export type StaffRoles = StaffMember["roles"];

interface RoleWords {
  role: Role;
  /** "Depot lead in Carmel and Fishers" */
  title: string;
  /** "You can run delivery days in Carmel and Fishers." */
  sentence: string;
}

/** "Carmel and Fishers", "all markets"; null where nothing includes it. */
function placesOf(roles: StaffRoles): string | null {
  if (roles.length === 0) return null;
  if (roles.some(({ hub }) => hub === null)) return t.allMarkets;
  return t.inMarkets([...new Set(roles.flatMap(({ hub }) => (hub === null ? [] : [hub.name])))].toSorted());
}

/** Roles in words, one entry for each role, in the order of `ROLES`. */
export const wordsOfRoles = (roles: StaffRoles): RoleWords[] =>
  ROLES.flatMap((role) => {
    const places = placesOf(roles.filter((each) => each.role === role));
    if (places === null) return [];
    const where = MARKET_ROLES.includes(role) ? null : places;
    return [{ role, title: t.roleIn(t.roles[role], where), sentence: t.youCan(t.rolePurposes[role], where) }];
  });

/** What a person can do, one sentence for each permission that their roles include, with its markets, in the order of `PERMISSIONS`. */
export const sentencesOf = (person: string, roles: StaffRoles): { permission: Permission; sentence: string }[] =>
  PERMISSIONS.flatMap((permission) => {
    const where = placesOf(roles.filter(({ role }) => ROLE_PERMISSIONS[role].includes(permission)));
    return where === null ? [] : [{ permission, sentence: t.personCan(person, t.permissions[permission], where) }];
  });
