/** Roles and permissions of the people who run the market (docs/product.md §18). */

/** A role is a fixed set of permissions, granted for one market or for all. */
export const ROLES = [
  "owner",
  "manager",
  "hub_lead",
  "support",
  "bookkeeper",
  "editor",
  "depot_lead",
  "auditor",
] as const;
export type Role = (typeof ROLES)[number];

/** A permission is an action on a noun. */
export const PERMISSIONS = [
  "orders.read",
  "people.read",
  "orders.adjust",
  "orders.refund",
  "orders.cancel",
  "credit.grant",
  "catalogue.write",
  "vendors.write",
  "vendors.terms",
  "hubs.write",
  "content.write",
  "moderation.write",
  "inbox.reply",
  "money.read",
  "payouts.write",
  "reports.read",
  "day.run",
  "settings.write",
  "staff.write",
  "people.export",
  "people.delete",
  "audit.read",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const MANAGER = [
  "orders.read",
  "people.read",
  "orders.adjust",
  "orders.refund",
  "orders.cancel",
  "credit.grant",
  "catalogue.write",
  "vendors.write",
  "vendors.terms",
  "hubs.write",
  "content.write",
  "moderation.write",
  "inbox.reply",
  "money.read",
  "reports.read",
  "day.run",
  "audit.read",
] as const satisfies readonly Permission[];

/** The permissions of each role. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  manager: MANAGER,
  hub_lead: MANAGER.filter((permission) => permission !== "vendors.terms" && permission !== "money.read"),
  support: [
    "orders.read",
    "people.read",
    "orders.adjust",
    "orders.refund",
    "orders.cancel",
    "credit.grant",
    "moderation.write",
    "inbox.reply",
    "audit.read",
  ],
  bookkeeper: ["orders.read", "vendors.terms", "money.read", "payouts.write", "reports.read", "audit.read"],
  editor: ["content.write", "moderation.write", "audit.read"],
  depot_lead: ["orders.read", "people.read", "orders.adjust", "day.run", "audit.read"],
  auditor: ["orders.read", "money.read", "reports.read", "audit.read"],
};

/** A role of one person; `hubId` null: in every market, also in those of the future. */
export interface Grant {
  role: Role;
  hubId: number | null;
  /** Of the role's permissions only these: the grant is used by an API key. */
  only?: readonly Permission[];
}

const includes = ({ role, only }: Grant, permission: Permission): boolean =>
  ROLE_PERMISSIONS[role].includes(permission) && (only === undefined || only.includes(permission));

/** The markets in which `grants` include a permission: "all", or their ids, which may be none. */
export function hubsWith(grants: readonly Grant[], permission: Permission): "all" | readonly number[] {
  const including = grants.filter((grant) => includes(grant, permission));
  if (including.some(({ hubId }) => hubId === null)) return "all";
  return [...new Set(including.map(({ hubId }) => hubId!))];
}

/** Whether `grants` include a permission in a market; "any": in at least one; "all": in every one. */
export function can(grants: readonly Grant[], permission: Permission, where: number | "any" | "all"): boolean {
  const hubs = hubsWith(grants, permission);
  if (hubs === "all") return true;
  if (where === "all") return false;
  return where === "any" ? hubs.length > 0 : hubs.includes(where);
}

/** Most that a role may give back or grant in one action, cents; null: any amount (docs/product.md §18). */
export const GIVE_LIMIT_CENTS: Readonly<Record<Role, number | null>> = {
  owner: null,
  manager: null,
  hub_lead: 20_000,
  support: 5_000,
  bookkeeper: 0,
  editor: 0,
  depot_lead: 0,
  auditor: 0,
};
/** From this amount on, giving back or granting needs a step-up, cents. */
export const GIVE_STEP_UP_CENTS = 20_000;

/** Permissions whose amount is limited by role. */
export const GIVE_PERMISSIONS = [
  "orders.refund",
  "credit.grant",
  "orders.cancel",
] as const satisfies readonly Permission[];

/** Permissions whose calls need a step-up whatever the amount. A test of the server compares it with the contracts. */
export const STEP_UP_PERMISSIONS: readonly Permission[] = [
  "payouts.write",
  "staff.write",
  "people.export",
  "people.delete",
];

/** Most that `grants` may give with a permission in a market in one action, cents; null: any amount. `hubId` null: in all markets at once. */
export function giveLimitCents(
  grants: readonly Grant[],
  permission: (typeof GIVE_PERMISSIONS)[number],
  hubId: number | null,
): number | null {
  const limits = grants
    .filter((grant) => includes(grant, permission) && (grant.hubId === null || grant.hubId === hubId))
    .map(({ role }) => GIVE_LIMIT_CENTS[role]);
  return limits.includes(null) ? null : Math.max(0, ...limits.map((limit) => limit ?? 0));
}

/** Roles of the whole market: they are never granted for one hub only. */
export const MARKET_ROLES: readonly Role[] = ["owner"];

/** Ends of staff sessions: without a request, in any case, and how long a step-up counts (ms). */
export const STAFF_SESSION = {
  idleMs: 8 * 3_600_000,
  absoluteMs: 16 * 3_600_000,
  stepUpMs: 5 * 60_000,
} as const;

/** Keys with which programs call the admin API: how they begin, how many of one person work at once, and how long at most. */
export const API_KEY = { prefix: "mkt_", most: 20, nameMax: 60, daysMax: 365 } as const;

/** How long an invitation or a reset link works (ms). */
export const STAFF_LINK_MS = 24 * 3_600_000;

/** Least length of a staff password, which is only accepted with a code of an authenticator app. */
export const STAFF_PASSWORD_MIN = 12;
/** Recovery codes of one person. */
export const RECOVERY_CODES = 10;

/**
 * Which entries of the audit log a role includes where it is granted: "hubs" all of its markets (and, granted in all markets, those of no
 * market), "today" those of the day that runs there, "own" what the person did. One's own entries are always included.
 */
export const AUDIT_ENTRIES: Readonly<Record<Role, "hubs" | "today" | "own">> = {
  owner: "hubs",
  manager: "hubs",
  hub_lead: "hubs",
  support: "own",
  bookkeeper: "own",
  editor: "own",
  depot_lead: "today",
  auditor: "hubs",
};

/** The markets whose entries of the audit log `grants` include besides one's own: all of them, and those of today. */
export function auditHubs(grants: readonly Grant[]): {
  hubs: "all" | readonly number[];
  today: "all" | readonly number[];
} {
  const of = (entries: "hubs" | "today") =>
    hubsWith(
      grants.filter(({ role }) => AUDIT_ENTRIES[role] === entries),
      "audit.read",
    );
  return { hubs: of("hubs"), today: of("today") };
}
