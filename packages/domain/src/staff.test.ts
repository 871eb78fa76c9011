import fc from "fast-check";
import { expect, test } from "vitest";

import {
  AUDIT_ENTRIES,
  auditHubs,
  can,
  GIVE_LIMIT_CENTS,
  giveLimitCents,
  type Grant,
  hubsWith,
  MARKET_ROLES,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  ROLES,
} from "./staff.ts";

/** Who may do what (docs/product.md §18), one column per role. */
const TABLE = `
                  owner manager hub_lead support bookkeeper editor depot_lead auditor
orders.read       x     x       x        x       x          .      x          x
people.read       x     x       x        x       .          .      x          .
orders.adjust     x     x       x        x       .          .      x          .
orders.refund     x     x       x        x       .          .      .          .
orders.cancel     x     x       x        x       .          .      .          .
credit.grant      x     x       x        x       .          .      .          .
catalogue.write   x     x       x        .       .          .      .          .
vendors.write     x     x       x        .       .          .      .          .
vendors.terms     x     x       .        .       x          .      .          .
hubs.write        x     x       x        .       .          .      .          .
content.write     x     x       x        .       .          x      .          .
moderation.write  x     x       x        x       .          x      .          .
inbox.reply       x     x       x        x       .          .      .          .
money.read        x     x       .        .       x          .      .          x
payouts.write     x     .       .        .       x          .      .          .
reports.read      x     x       x        .       x          .      .          x
day.run           x     x       x        .       .          .      x          .
settings.write    x     .       .        .       .          .      .          .
staff.write       x     .       .        .       .          .      .          .
people.export     x     .       .        .       .          .      .          .
people.delete     x     .       .        .       .          .      .          .
audit.read        x     x       x        x       x          x      x          x
`;

/**
 * Cells of the table that include a part only, of the roles' table of the back office, and what holds the part. "own hubs" of a hub lead
 * holds everywhere by the hub of the grant, and is no row. Not enforced yet: its screen comes later (docs/product.md §18).
 */
const PARTIAL: Record<string, { part: string; enforced: string | null }> = {
  "orders.refund hub_lead": { part: "limit", enforced: "GIVE_LIMIT_CENTS" },
  "orders.refund support": { part: "limit", enforced: "GIVE_LIMIT_CENTS" },
  "orders.cancel hub_lead": { part: "limit", enforced: "GIVE_LIMIT_CENTS" },
  "orders.cancel support": { part: "limit", enforced: "GIVE_LIMIT_CENTS" },
  "credit.grant hub_lead": { part: "limit", enforced: "GIVE_LIMIT_CENTS" },
  "credit.grant support": { part: "limit", enforced: "GIVE_LIMIT_CENTS" },
  "vendors.write hub_lead": { part: "without terms", enforced: "vendors.terms" },
  "vendors.terms bookkeeper": { part: "terms", enforced: "vendors.write" },
  "money.read manager": { part: "read only", enforced: "payouts.write" },
  "money.read auditor": { part: "read only", enforced: "payouts.write" },
  "moderation.write support": { part: "without content", enforced: "content.write" },
  "audit.read support": { part: "own entries", enforced: "AUDIT_ENTRIES" },
  "audit.read bookkeeper": { part: "own entries", enforced: "AUDIT_ENTRIES" },
  "audit.read editor": { part: "own entries", enforced: "AUDIT_ENTRIES" },
  "audit.read depot_lead": { part: "entries of today", enforced: "AUDIT_ENTRIES" },
  "orders.read depot_lead": { part: "today's", enforced: null },
  "people.read depot_lead": { part: "today's", enforced: null },
  "catalogue.write editor": { part: "texts", enforced: null },
  "catalogue.write depot_lead": { part: "stock counts", enforced: null },
  "hubs.write hub_lead": { part: "closures", enforced: null },
};
const [header = [], ...rows] = TABLE.trim()
  .split("\n")
  .map((line) => line.trim().split(/ +/));
const cells = rows.flatMap(([permission, ...marks]) =>
  marks.map((mark, place) => [header[place]!, permission!, mark === "x"] as const),
);
const permissionOf = (name: string) => PERMISSIONS.find((permission) => permission === name)!;
const roleOf = (name: string) => ROLES.find((role) => role === name)!;

test("staff roles: the table names every role and permission once", () => {
  expect(header).toEqual(ROLES);
  expect(rows.map(([permission]) => permission)).toEqual(PERMISSIONS);
  for (const permissions of Object.values(ROLE_PERMISSIONS)) expect(new Set(permissions).size).toBe(permissions.length);
});

test.each(cells)("staff roles: %s and %s: %s, for the whole market and for one hub", (role, name, isGranted) => {
  const permission = permissionOf(name);
  const everywhere: Grant[] = [{ role: roleOf(role), hubId: null }];
  expect([
    can(everywhere, permission, "all"),
    can(everywhere, permission, "any"),
    can(everywhere, permission, 7),
    hubsWith(everywhere, permission),
  ]).toEqual([isGranted, isGranted, isGranted, isGranted ? "all" : []]);
  const own: Grant[] = [{ role: roleOf(role), hubId: 7 }];
  expect([
    can(own, permission, "all"),
    can(own, permission, "any"),
    can(own, permission, 7),
    can(own, permission, 8),
    hubsWith(own, permission),
  ]).toEqual([false, isGranted, isGranted, false, isGranted ? [7] : []]);
});

test("staff roles: without a role nothing is granted, and roles in several hubs add up", () => {
  for (const permission of PERMISSIONS) expect(can([], permission, "any")).toBe(false);
  const grants: Grant[] = [
    { role: "hub_lead", hubId: 1 },
    { role: "depot_lead", hubId: 2 },
    { role: "hub_lead", hubId: 2 },
    { role: "editor", hubId: 3 },
  ];
  expect(hubsWith(grants, "day.run")).toEqual([1, 2]);
  expect(hubsWith(grants, "content.write")).toEqual([1, 2, 3]);
  expect(hubsWith(grants, "money.read")).toEqual([]);
  expect(hubsWith([...grants, { role: "manager", hubId: null }], "day.run")).toBe("all");
});

test("staff roles: one more role never takes a permission away, and `can` agrees with `hubsWith`", () => {
  const grant = fc.record({
    role: fc.constantFrom(...ROLES),
    hubId: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
  });
  fc.assert(
    fc.property(
      fc.array(grant, { maxLength: 6 }),
      grant,
      fc.constantFrom(...PERMISSIONS),
      fc.integer({ min: 1, max: 5 }),
      (grants, more, permission, hubId) => {
        for (const where of [hubId, "any", "all"] as const)
          if (can(grants, permission, where)) expect(can([...grants, more], permission, where)).toBe(true);
        const hubs = hubsWith(grants, permission);
        expect(can(grants, permission, hubId)).toBe(hubs === "all" || hubs.includes(hubId));
        expect(can(grants, permission, "any")).toBe(hubs === "all" || hubs.length > 0);
      },
    ),
  );
});

test("staff roles: only roles of the whole market may change who has which role", () => {
  const mayGrant = ROLES.filter((role) => ROLE_PERMISSIONS[role].includes("staff.write"));
  expect(mayGrant).toEqual(MARKET_ROLES);
});

const partsOf = (enforced: string | null) =>
  Object.entries(PARTIAL).flatMap(([cell, { part, enforced: by }]) => {
    const [permission = "", role = ""] = cell.split(" ");
    return by === enforced ? [{ permission: permissionOf(permission), role: roleOf(role), part }] : [];
  });
/** The permission that a role with a part does not have. */
const lacking = (["vendors.terms", "vendors.write", "payouts.write", "content.write"] as const).flatMap((other) =>
  partsOf(other).map((each) => ({ ...each, other })),
);

test("staff roles: every partial cell names a permission and a role that there are", () => {
  for (const cell of Object.keys(PARTIAL)) {
    const [permission = "", role = ""] = cell.split(" ");
    expect([cell, permissionOf(permission), roleOf(role)]).toEqual([cell, permission, role]);
  }
});

test.each(partsOf("GIVE_LIMIT_CENTS"))(
  "staff roles: $role may give with $permission up to a limit in its own hub, and nothing in another",
  ({ role, permission }) => {
    const own: Grant[] = [{ role, hubId: 7 }];
    const giving = permission as Parameters<typeof giveLimitCents>[1];
    expect([giveLimitCents(own, giving, 7), giveLimitCents(own, giving, 8)]).toEqual([GIVE_LIMIT_CENTS[role], 0]);
    expect(GIVE_LIMIT_CENTS[role]).toBeGreaterThan(0);
    expect(giveLimitCents([...own, { role: "manager", hubId: null }], giving, 7)).toBeNull();
  },
);

test.each(lacking)("staff roles: $role has $permission ($part), and not $other", ({ role, permission, other }) => {
  expect([ROLE_PERMISSIONS[role].includes(permission), ROLE_PERMISSIONS[role].includes(other)]).toEqual([true, false]);
});

test("staff roles: the audit log is read by hub, of today, or one's own, and the most counts", () => {
  const of = (...grants: Grant[]) => auditHubs(grants);
  const parts = new Map(partsOf("AUDIT_ENTRIES").map(({ role, part }) => [role, part]));
  for (const role of ROLES) {
    const entries = { "own entries": "own", "entries of today": "today" }[parts.get(role) ?? ""] ?? "hubs";
    expect([role, AUDIT_ENTRIES[role]]).toEqual([role, entries]);
    expect(of({ role, hubId: 7 })).toEqual({
      hubs: entries === "hubs" ? [7] : [],
      today: entries === "today" ? [7] : [],
    });
    expect(of({ role, hubId: null })).toEqual({
      hubs: entries === "hubs" ? "all" : [],
      today: entries === "today" ? "all" : [],
    });
  }
  expect(of({ role: "depot_lead", hubId: 1 }, { role: "hub_lead", hubId: 2 })).toEqual({ hubs: [2], today: [1] });
});

test("staff roles: what is not enforced yet is what docs/product.md lists", () => {
  expect(partsOf(null).map(({ permission, role, part }) => `${permission} ${role}: ${part}`)).toEqual([
    "orders.read depot_lead: today's",
    "people.read depot_lead: today's",
    "catalogue.write editor: texts",
    "catalogue.write depot_lead: stock counts",
    "hubs.write hub_lead: closures",
  ]);
});
