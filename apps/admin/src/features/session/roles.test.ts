import { describe, expect, test } from "vitest";

import { sentencesOf, type StaffRoles, wordsOfRoles } from "./roles.ts";

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

  test("a permission that no role includes is left out, and without roles there is no sentence", () => {
    expect(of([{ role: "editor", hub: null }])).not.toHaveProperty(["staff.write"]);
    expect(sentencesOf("Ada", [])).toEqual([]);
  });
});
