import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { COMMON_WORDS, isCommonPassword } from "./common-passwords.ts";
import { checkPassword, normalisePassword } from "./password.ts";

const names = ["Anna", "Baker-Smith", "anna.baker@example.com", "Little Wagon", "Carmel market"];

describe("common passwords are refused", { tags: ["fail:F11"] }, () => {
  test.each([
    "password",
    "12345",
    "123456",
    "123456789",
    "qwerty",
    "aaaaa",
    "111111",
    "iloveyou",
    "Password1",
    "PASSWORD",
    "p@ssw0rd",
    "P4ssw0rd!",
    "letmein",
    "welcome1",
    "monkey12",
    "dragon",
    "football!",
    "abc123",
    "qwerty123",
    "1q2w3e4r",
    "asdfgh",
    "zxcvbn",
    "qwertyuiop",
    "987654321",
    "abcdef",
    "fedcba",
    "000000",
    "121212",
    "abcabc",
    "passpass",
    "sunshine2024",
    "!!dragon!!",
    "1234512345",
    "asdf1234",
    "01011990",
    "19900101",
    "12251985",
    "admin",
    "changeme",
    "trustno1",
    "master99",
    "oooooo",
    "ｐａｓｓｗｏｒｄ",
  ])("%s", (password) => {
    expect(checkPassword(password, { min: 5 })).toBe("common");
  });

  test("all of a list of a thousand, with its usual endings", () => {
    const long = [...COMMON_WORDS].filter((word) => word.length >= 5);
    expect(COMMON_WORDS.size).toBeGreaterThanOrEqual(1000);
    for (const word of long) {
      const spellings = [word, word.toUpperCase(), `${word}1`, `${word}123`, `${word}!`, `${word}2024`];
      expect(spellings.filter((spelling) => checkPassword(spelling, { min: 5 }) !== "common")).toEqual([]);
    }
  });
});

describe("own and market's names are refused", { tags: ["fail:F11"] }, () => {
  test.each([
    "Anna1",
    "ANNA2024",
    "Baker-Smith",
    "bakersmith",
    "SmithBaker",
    "annabaker",
    "anna.baker",
    "Anna Baker!",
    "littlewagon",
    "Little Wagon",
    "LittleWagon1",
    "carmel market",
    "Carmel99",
    "anna.baker@example.com",
  ])("%s", (password) => {
    expect(checkPassword(password, { min: 5, names })).toBe("common");
  });

  test.each(["annabelle-rides", "wagon train to 46032", "xanna"])("%s is another word", (password) => {
    expect(checkPassword(password, { min: 5, names })).toBe("ok");
  });

  test("a long run of digits is judged at once, not by trying every split", () => {
    expect(checkPassword(`${"1234567890".repeat(25)}~x`, { min: 5 })).toBe("ok");
    expect(checkPassword("1234567890".repeat(25), { min: 5 })).toBe("common");
  });

  test("the whole part of an email before the @", () => {
    expect(checkPassword("joannmiller1", { min: 5, names: ["jo.ann.miller@example.com"] })).toBe("common");
  });

  test("names too short to mean anything do not count", () => {
    expect(checkPassword("Xu7kq", { min: 5, names: ["Xu", "", " "] })).toBe("ok");
  });
});

describe("lengths", { tags: ["spec:9-03", "fail:F12"] }, () => {
  test.each([
    ["x7Kq", 5, "too_short"],
    ["x7Kq9", 5, "ok"],
    ["x7Kq9", 6, "too_short"],
    ["x7Kq9v", 6, "ok"],
    ["", 5, "too_short"],
    ["🥕🧄🥔🌽", 5, "too_short"],
    ["🥕🧄🥔🌽🥬", 5, "ok"],
    ["x7Kq9 with spaces \u0000 and more", 5, "ok"],
  ])("%j of at least %i: %s", (password, min, verdict) => {
    expect(checkPassword(password, { min })).toBe(verdict);
  });

  const rare = "x7Kq9vR2".repeat(32).slice(0, 255);
  test("256 code points are allowed, 257 are not", () => {
    expect(checkPassword(`${rare}🥕`, { min: 5 })).toBe("ok");
    expect(checkPassword(`${rare}🥕x`, { min: 5 })).toBe("too_long");
    expect(checkPassword(`${rare.slice(1)}e\u0301🥕`, { min: 5 })).toBe("ok"); // composed before it is counted
    expect(checkPassword("x".repeat(1_000_000), { min: 5 })).toBe("too_long");
  });

  test("one password however it is typed", () => {
    expect(normalisePassword("cafe\u0301 ﬁne")).toBe(normalisePassword("café fine"));
  });
});

test("a thousand random passwords of five and six characters are taken", { tags: ["fail:F11"] }, () => {
  const characters = [..."ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"];
  const random = fc
    .integer({ min: 5, max: 6 })
    .chain((length) =>
      fc.array(fc.constantFrom(...characters), { minLength: length, maxLength: length }).map((all) => all.join("")),
    );
  let refused = 0;
  fc.assert(
    fc.property(random, (password) => {
      if (checkPassword(password, { min: 5, names }) !== "ok") refused += 1;
    }),
    { numRuns: 1000, seed: 20_261_126 },
  );
  expect(refused).toBeLessThanOrEqual(10);
});

test.each([
  "x7Kq9",
  "tr4vel-lamp",
  "correct horse battery staple",
  "Zucchini+Thyme",
  "mq3zt",
  "9f2kd",
  "blauer himmel 77x",
])("%s is not common", (password) => {
  expect(isCommonPassword(password)).toBe(false);
});
