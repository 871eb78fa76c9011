import type { StaffMember } from "@marketday/contracts/admin/staff";
import { type Grant, MARKET_ROLES, type Role, ROLES } from "@marketday/domain/staff";

/** The roles chosen in a form: each in all markets, or in some, which may be none yet. */
export type RoleChoice = Partial<Record<Role, "all" | readonly number[]>>;

/** Roles as the API has them, as a choice. */
export function choiceOf(roles: StaffMember["roles"]): RoleChoice {
  const choice: RoleChoice = {};
  for (const { role, hub } of roles) {
    const before = choice[role] ?? [];
    choice[role] = hub === null || before === "all" ? "all" : [...before, hub.id].toSorted((a, b) => a - b);
  }
  return choice;
}

/** A choice as the API takes it, in the order of `ROLES`. */
export const grantsOf = (choice: RoleChoice): Grant[] =>
  ROLES.flatMap((role): Grant[] => {
    const where = choice[role];
    if (where === undefined) return [];
    if (where === "all" || MARKET_ROLES.includes(role)) return [{ role, hubId: null }];
    return where.map((hubId) => ({ role, hubId }));
  });

/** Roles as the API has them, from a choice and the names of the markets. */
export const rolesOf = (choice: RoleChoice, hubs: readonly { id: number; name: string }[]): StaffMember["roles"] =>
  grantsOf(choice).map(({ role, hubId }) => ({
    role,
    hub: hubId === null ? null : { id: hubId, name: hubs.find(({ id }) => id === hubId)?.name ?? String(hubId) },
  }));

/** The first chosen role without a market; null: each has one. */
export const roleWithoutMarket = (choice: RoleChoice): Role | null =>
  ROLES.find((role) => choice[role] !== undefined && choice[role] !== "all" && choice[role].length === 0) ?? null;

/** Whether two choices have the same roles in the same markets: a role that has no market yet is chosen too. */
export const isSameChoice = (one: RoleChoice, other: RoleChoice): boolean =>
  JSON.stringify(grantsOf(one)) === JSON.stringify(grantsOf(other)) &&
  ROLES.every((role) => (one[role] === undefined) === (other[role] === undefined));
