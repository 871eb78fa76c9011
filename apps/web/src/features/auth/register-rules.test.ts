import { describe, expect, test } from "vitest";

import { type RegisterValues, requirementsOf } from "./register-rules.ts";

const good: RegisterValues = {
  firstName: "A",
  lastName: "B",
  email: "a@b.c",
  zipCode: "46032",
  password: "abcde",
  confirm: "abcde",
};
const missing = (change: Partial<RegisterValues>) =>
  requirementsOf({ ...good, ...change })
    .filter(({ met }) => !met)
    .map(({ message }) => message);

describe("what the register form still wants", () => {
  test(
    "nothing, at the shortest of everything",
    { tags: ["spec:5-04", "spec:5-05", "spec:5-06", "spec:5-08", "spec:5-09"] },
    () => {
      expect(missing({})).toEqual([]);
    },
  );

  test.each<[string, Partial<RegisterValues>, string[]]>([
    ["an email of 4 characters", { email: "a@bc" }, ["Email is requried"]],
    ["an email without @", { email: "anna.b" }, ["Email is requried"]],
    [
      "no first name: both names are required",
      { firstName: "" },
      ["Your first name is requried", "Your last name is requried"],
    ],
    ["no last name", { lastName: " " }, ["Your last name is requried"]],
    ["a password of 4", { password: "abcd", confirm: "abcd" }, ["Password is too short"]],
    ["a zip of 4", { zipCode: "4603" }, ["Zip Code is required"]],
    ["another confirmation", { confirm: "abcdf" }, ["Passwords do not match"]],
  ])(
    "%s",
    { tags: ["spec:9-01", "spec:9-04", "spec:5-05", "spec:5-06", "spec:5-07", "spec:5-08", "spec:5-09", "spec:5-10"] },
    (_, change, expected) => {
      expect(missing(change)).toEqual(expected);
    },
  );

  test("an empty form shows all but the match", () => {
    const empty = { firstName: "", lastName: "", email: "", zipCode: "", password: "", confirm: "" };
    expect(missing(empty)).toEqual([
      "Email is requried",
      "Your first name is requried",
      "Your last name is requried",
      "Password is too short",
      "Zip Code is required",
    ]);
  });
});
