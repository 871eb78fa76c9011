import { expect, test } from "vitest";

import { choiceOf, grantsOf, isSameChoice, rolesOf, roleWithoutMarket } from "./role-choice.ts";

const carmel = { id: 1, name: "Carmel" };
const fishers = { id: 2, name: "Fishers" };

test("choice of roles: the markets of a role are put together, and all markets cover the others", () => {
  expect(
    choiceOf([
      { role: "support", hub: fishers },
      { role: "support", hub: carmel },
      { role: "editor", hub: carmel },
      { role: "editor", hub: null },
    ]),
  ).toEqual({ support: [1, 2], editor: "all" });
});

test("choice of roles: what is read of the API and sent back is the same", () => {
  const roles = [
    { role: "owner" as const, hub: null },
    { role: "depot_lead" as const, hub: carmel },
    { role: "depot_lead" as const, hub: fishers },
  ];
  expect(rolesOf(choiceOf(roles), [carmel, fishers])).toEqual(roles);
});

test("choice of roles: an owner is one in all markets, whichever were chosen", () => {
  expect(grantsOf({ owner: [1] })).toEqual([{ role: "owner", hubId: null }]);
});

test("choice of roles: a role with no market yet is found, one in all markets is not", () => {
  expect(roleWithoutMarket({ editor: "all", support: [] })).toBe("support");
  expect(roleWithoutMarket({ editor: "all", support: [1] })).toBeNull();
});

test("choice of roles: the order in which roles were ticked makes no difference", () => {
  expect(isSameChoice({ editor: "all", support: [1] }, { support: [1], editor: "all" })).toBe(true);
  expect(isSameChoice({ support: [1] }, { support: "all" })).toBe(false);
});

test("choice of roles: a role whose markets are still to be chosen is a change", () => {
  expect(isSameChoice({ editor: "all", support: [] }, { editor: "all" })).toBe(false);
});
