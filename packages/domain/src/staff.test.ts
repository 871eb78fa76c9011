import fc from "fast-check";
import { expect, test } from "vitest";

import { can, type Grant, hubsWith, MARKET_ROLES, PERMISSIONS, ROLE_PERMISSIONS, ROLES } from "./staff.ts";

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
