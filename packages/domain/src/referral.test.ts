import { describe, expect, test } from "vitest";

import { normaliseEmail, normalisePhone, sameAddress, samePerson, type Person } from "./referral.ts";

describe("e-mail", () => {
  test.each([
    ["Anna.Baker@Gmail.com", "annabaker@gmail.com"],
    ["a.n.n.a+shop@googlemail.com", "anna@gmail.com"],
    ["Anna.Baker+x+y@example.com", "anna.baker@example.com"],
    [" anna@example.com ", "anna@example.com"],
    ['"a@b"@example.com', '"a@b"@example.com'],
    ["nonsense", "nonsense"],
  ])("%s reaches %s", (email, mailbox) => {
    expect(normaliseEmail(email)).toBe(mailbox);
  });
});

describe("address", () => {
  const home = { address: "12 North Elm Street", address2: "Apt 4", zipCode: "46032" };

  test.each([
    [{ address: "12 n. elm st., #4", zipCode: "46032-1234" }, true],
    [{ address: "12 N Elm St Unit 4", address2: null, zipCode: " 46032" }, true],
    [{ address: "12 N Elm St", address2: "Apt #4", zipCode: "46032" }, true],
    [{ address: "12 N ELM ST", address2: "4", zipCode: "46032" }, true],
    [{ address: "12 N Elm St No. 4", zipCode: "46032" }, true],
    [{ address: "12 N Elm St", address2: "Apt 5", zipCode: "46032" }, false],
    [{ address: "12 N Elm St", zipCode: "46032" }, false],
    [{ address: "12 N Elm St Apt 4", zipCode: "46033" }, false],
    [{ address: "12 S Elm St Apt 4", zipCode: "46032" }, false],
  ])("%j is home: %s", (other, same) => {
    expect(sameAddress(home, other)).toBe(same);
    expect(sameAddress(other, home)).toBe(same);
  });

  test("referral: an empty address matches no customer", () => {
    expect(sameAddress({ address: " ", zipCode: "46032" }, { address: " ", zipCode: "46032" })).toBe(false);
    expect(sameAddress({ address: "constructor", zipCode: "1" }, { address: "constructor", zipCode: "1" })).toBe(true);
  });
});

test.each([
  ["(317) 555-0142", "3175550142"],
  ["+1 317 555 0142", "3175550142"],
  ["555-0142", null],
  ["", null],
])("phone %s is %s", (phone, digits) => {
  expect(normalisePhone(phone)).toBe(digits);
});

describe("one person", () => {
  const anna: Person = {
    email: "anna.baker@example.com",
    addresses: [{ address: "12 Elm St", zipCode: "46032" }],
    phone: "317-555-0142",
    cardFingerprints: ["fp_0", "fp_1"],
  };
  const ben: Person = {
    email: "ben@example.com",
    addresses: [{ address: "9 Oak St", zipCode: "46032" }],
    phone: "317-555-0199",
    cardFingerprints: ["fp_2"],
  };

  test.each<[Partial<Person>, string | null]>([
    [{}, null],
    [{ email: "AnnaBaker+2@example.com" }, "email"],
    [{ email: "annabaker@example.org" }, null],
    [
      {
        addresses: [
          { address: "9 Oak St", zipCode: "46032" },
          { address: "12 Elm Street", zipCode: "46032" },
        ],
      },
      "address",
    ],
    [{ cardFingerprints: ["fp_2", "fp_1"] }, "card"],
    [{ phone: "+1 (317) 555 0142" }, "phone"],
  ])("ben with %j: %s", (change, match) => {
    expect(samePerson(anna, { ...ben, ...change })).toBe(match);
    expect(samePerson({ ...ben, ...change }, anna)).toBe(match);
  });

  test("what is unknown matches nothing", () => {
    const unknown: Person = { email: null, addresses: [], phone: null, cardFingerprints: [""] };
    expect(samePerson(unknown, unknown)).toBeNull();
    expect(samePerson({ ...unknown, phone: "1" }, { ...unknown, phone: "1" })).toBeNull();
  });
});
