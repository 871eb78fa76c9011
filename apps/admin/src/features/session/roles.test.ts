import { hubsWith, MARKET_ROLES, PERMISSIONS, ROLES } from "@marketday/domain/staff";
import { describe, expect, test } from "vitest";

import { cannotOf, sentencesOf, type StaffRoles, wordsOfRoles } from "./roles.ts";

const carmel = { id: 1, name: "Carmel" };
const fishers = { id: 2, name: "Fishers" };
const titlesOf = (roles: StaffRoles) => wordsOfRoles(roles).map(({ title }) => title);

describe("roles in words", () => {
  test("a role in two markets is one entry that names both, by name", () => {
    const words = wordsOfRoles([
      { role: "depot_lead", hub: fishers },
      { role: "depot_lead", hub: carmel },
    ]);
    expect(words).toEqual([
      {
        role: "depot_lead",
        title: "Depot lead in Carmel and Fishers",
        sentence: "You can run delivery days in Carmel and Fishers.",
      },
    ]);
  });

  test("a role in all markets and in one of them names all markets", () => {
    expect(
      titlesOf([
        { role: "support", hub: carmel },
        { role: "support", hub: null },
      ]),
    ).toEqual(["Support in all markets"]);
  });

  test("an owner is one of the whole market, and comes first", () => {
    expect(
      titlesOf([
        { role: "auditor", hub: carmel },
        { role: "owner", hub: null },
      ]),
    ).toEqual(["Owner", "Auditor in Carmel"]);
  });
});

describe("what a person can do", () => {
  const of = (roles: StaffRoles) =>
    Object.fromEntries(sentencesOf("Ada", roles).map((each) => [each.permission, each.sentence]));

  test("a permission that two roles include is one sentence with the markets of both", () => {
    const can = of([
      { role: "depot_lead", hub: carmel },
      { role: "manager", hub: fishers },
      { role: "editor", hub: fishers },
    ]);
    expect(can["day.run"]).toBe("Ada can run delivery days and print their sheets in Carmel and Fishers.");
    expect(can["content.write"]).toBe("Ada can write posts, pages and banners in Fishers.");
  });

  const sentences = (permission: string, ...roles: StaffRoles) =>
    sentencesOf("Ada", roles)
      .filter((each) => each.permission === permission)
      .map(({ sentence, why }) => [sentence, why]);

  test("money is given up to the limit of the role; in a market counts the role that may give most", () => {
    expect(
      sentences(
        "orders.refund",
        { role: "support", hub: null },
        { role: "hub_lead", hub: carmel },
        { role: "manager", hub: fishers },
      ),
    ).toEqual([
      ["Ada can refund orders in Fishers.", "As Manager in Fishers"],
      ["Ada can refund orders, up to $200.00 at a time, in Carmel.", "As Market lead in Carmel"],
      ["Ada can refund orders, up to $50.00 at a time, in all markets.", "As Support in all markets"],
    ]);
    expect(sentences("credit.grant", { role: "owner", hub: null }, { role: "support", hub: carmel })).toEqual([
      ["Ada can give credit in all markets.", "As Owner"],
    ]);
  });

  test("the audit log is read as far as a role includes it", () => {
    expect(
      sentences(
        "audit.read",
        { role: "editor", hub: null },
        { role: "depot_lead", hub: carmel },
        { role: "auditor", hub: fishers },
      ),
    ).toEqual([
      ["Ada can read the audit log in Fishers.", "As Auditor in Fishers"],
      ["Ada can read today’s entries of the audit log in Carmel.", "As Depot lead in Carmel"],
      ["Ada can read the audit log, own entries only.", "As Editor in all markets"],
    ]);
  });

  test("of all pairs of roles: there is a sentence for exactly what is enforced somewhere, and the markets are those where it is", () => {
    const single: StaffRoles = ROLES.flatMap((role) =>
      MARKET_ROLES.includes(role) ? [{ role, hub: null }] : [carmel, fishers, null].map((hub) => ({ role, hub })),
    );
    for (const first of single)
      for (const second of single) {
        const roles = [first, second];
        const grants = roles.map(({ role, hub }) => ({ role, hubId: hub?.id ?? null }));
        for (const permission of PERMISSIONS) {
          const text = sentences(permission, ...roles)
            .map(([sentence]) => sentence)
            .join(" ");
          const hubs = hubsWith(grants, permission);
          expect([permission, text !== ""]).toEqual([permission, hubs.length > 0]);
          if (hubs.length === 0 || text.includes("own entries only")) continue;
          const places = hubs === "all" ? ["all markets"] : hubs.map((id) => (id === carmel.id ? "Carmel" : "Fishers"));
          for (const place of places) expect(text).toContain(place);
          if (hubs !== "all") expect(text).not.toContain("all markets");
        }
      }
  });

  test("what needs a proof of identity says so, and from which amount on", () => {
    const proofs = (permission: string, roles: StaffRoles) =>
      sentencesOf("Ada", roles).find((each) => each.permission === permission)?.proof;
    const owner: StaffRoles = [{ role: "owner", hub: null }];
    expect(proofs("staff.write", owner)).toBe("confirmed with a passkey or password first");
    expect(proofs("orders.refund", owner)).toBe("from $200.00 on, confirmed with a passkey or password first");
    expect(proofs("orders.refund", [{ role: "hub_lead", hub: carmel }])).toBe(proofs("orders.refund", owner));
    expect(proofs("orders.refund", [{ role: "support", hub: null }])).toBeNull();
    expect(proofs("orders.read", owner)).toBeNull();
  });

  test("what a person can do nowhere is one sentence, and none for an owner", () => {
    expect(cannotOf("Ada", [{ role: "manager", hub: carmel }])).toBe(
      "Ada can’t approve payouts, see settings and try failed work again, invite staff and change their roles, export personal data, or delete shoppers.",
    );
    expect(cannotOf("Ada", [{ role: "owner", hub: null }])).toBeNull();
  });

  test("a permission that no role includes is left out, and without roles there is no sentence", () => {
    expect(of([{ role: "editor", hub: null }])).not.toHaveProperty(["staff.write"]);
    expect(sentencesOf("Ada", [])).toEqual([]);
  });
});
