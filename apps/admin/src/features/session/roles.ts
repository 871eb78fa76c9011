import type { StaffMember } from "@marketday/contracts/admin/staff";
import { cents, formatUsd } from "@marketday/domain/money";
import {
  AUDIT_ENTRIES,
  GIVE_LIMIT_CENTS,
  GIVE_PERMISSIONS,
  GIVE_STEP_UP_CENTS,
  type Grant,
  hubsWith,
  MARKET_ROLES,
  type Permission,
  PERMISSIONS,
  type Role,
  ROLE_PERMISSIONS,
  ROLES,
  STEP_UP_PERMISSIONS,
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

/** What a role includes of a permission: a number that is higher where it is more, and the words for it. */
interface Extent {
  rank: number;
  purpose: string;
  /** It has no market. */
  isOwn?: true;
  /** When a proof of identity is needed first; null: never. */
  proof: string | null;
}

const GIVING: ReadonlySet<Permission> = new Set(GIVE_PERMISSIONS);
const AUDIT_RANKS = { own: 0, today: 1, hubs: 2 } as const;

function extentOf(role: Role, permission: Permission): Extent {
  const purpose = t.permissions[permission];
  if (permission === "audit.read") {
    const entries = AUDIT_ENTRIES[role];
    return {
      rank: AUDIT_RANKS[entries],
      purpose: t.auditEntries[entries],
      ...(entries === "own" && { isOwn: true }),
      proof: null,
    };
  }
  if (!GIVING.has(permission))
    return { rank: 0, purpose, proof: STEP_UP_PERMISSIONS.includes(permission) ? t.withProof : null };
  const limit = GIVE_LIMIT_CENTS[role];
  const isUnproven = limit !== null && limit < GIVE_STEP_UP_CENTS;
  return {
    rank: limit ?? Infinity,
    purpose: limit === null ? purpose : t.upTo(purpose, formatUsd(cents(limit))),
    proof: isUnproven ? null : t.withProofFrom(formatUsd(cents(GIVE_STEP_UP_CENTS))),
  };
}

export interface Ability {
  /** Of a list: the permission, and its extent. */
  key: string;
  permission: Permission;
  /** "Ada can refund orders, up to $50.00 at a time, in Carmel." */
  sentence: string;
  /** "As Support in Carmel" */
  why: string;
  /** When the person confirms first who they are; null: never. */
  proof: string | null;
}

/** What roles include of a permission, the most first: in a market counts the role that includes most. */
function abilitiesFor(person: string, permission: Permission, roles: StaffRoles): Ability[] {
  const including = roles
    .filter(({ role }) => ROLE_PERMISSIONS[role].includes(permission))
    .map((each) => ({ ...each, extent: extentOf(each.role, permission) }));
  const everywhere = Math.max(-1, ...including.filter(({ hub }) => hub === null).map(({ extent }) => extent.rank));
  const best = new Map<string, number>();
  for (const { hub, extent } of including)
    if (hub !== null && extent.rank > everywhere) best.set(hub.name, Math.max(best.get(hub.name) ?? -1, extent.rank));
  const ranks = [...new Set(including.map(({ extent }) => extent.rank))].toSorted((a, b) => b - a);
  return ranks.flatMap((rank) => {
    const of = including.filter(
      ({ hub, extent }) => extent.rank === rank && (hub === null ? rank === everywhere : best.get(hub.name) === rank),
    );
    const [first] = of;
    const where = placesOf(of);
    if (!first || where === null) return [];
    const { purpose, isOwn, proof } = first.extent;
    return {
      key: `${permission} ${rank}`,
      permission,
      sentence: isOwn ? t.personCanEverywhere(person, purpose) : t.personCan(person, purpose, where),
      why: t.as(wordsOfRoles(of).map(({ title }) => title)),
      proof,
    };
  });
}

/** What a person can do, a sentence for each permission that their roles include, with its markets and the roles it comes from. */
export const sentencesOf = (person: string, roles: StaffRoles): Ability[] =>
  PERMISSIONS.flatMap((permission) => abilitiesFor(person, permission, roles));

const toGrants = (roles: StaffRoles): Grant[] => roles.map(({ role, hub }) => ({ role, hubId: hub && hub.id }));

/** What a person can do nowhere, as one sentence; null: there is nothing. */
export function cannotOf(person: string, roles: StaffRoles): string | null {
  const grants = toGrants(roles);
  const missing = PERMISSIONS.filter((permission) => hubsWith(grants, permission).length === 0);
  return missing.length === 0
    ? null
    : t.personCannot(
        person,
        missing.map((permission) => t.permissions[permission]),
      );
}
