import { describe, expect, test } from "vitest";

import { foldName, isSameName } from "./names.ts";

describe("foldName", () => {
  test.each([
    ["Dozen", "dozen"],
    ["Half dozen", "Half-dozen"],
    ["Half dozen", "Half \u2013 dozen"],
    ["Half dozen", "Halfdozen"],
    ["8 oz", "8oz"],
    ["8 oz", "8\u00A0oz"],
    ["Depot Barn", " depot  barn "],
    ["Crème fraîche", "Creme fraiche"],
    ["Crème", "Cre\u0300me"],
    ["Jalapeño", "JALAPEN\u0303O"],
    ["Smörgås", "Smorgas"],
    ["Straße", "STRASSE"],
    ["Ærø", "AERO"],
    ["İzmir", "izmir"],
    ["Depot\u200B Barn", "Depot Barn"],
    ["\u202ADepot Barn\u202C", "Depot Barn"],
    ["Depot\u00AD Barn", "Depot Barn"],
    ["\uFEFFDozen", "Dozen"],
    ["Mary\u2019s", "Mary's"],
    ["½ bushel", "1/2 bushel"],
    ["1½ lb", "1 1/2 lb"],
    ["Ｄｏｚｅｎ", "Dozen"],
    ["1-2 lb", "1\u20132 lb"],
    ["\u2764\uFE0F", "\u2764"],
  ])("%j and %j are the same name", (a, b) => {
    expect(foldName(a)).toBe(foldName(b));
    expect(isSameName(a, b)).toBe(true);
  });

  test.each([
    ["1-2 lb", "12 lb"],
    ["1 1/2 lb", "11/2 lb"],
    ["1½ lb", "11/2 lb"],
    ["1/2", "1-2"],
    ["1.5 lb", "15 lb"],
    ["Dozen", "Dozens"],
    ["か", "が"],
    ["-", "+"],
    ["A+", "A"],
    ["Depot Barn", "Depot Barn (rear door)"],
  ])("%j and %j are two names", (a, b) => {
    expect(isSameName(a, b)).toBe(false);
  });
});
