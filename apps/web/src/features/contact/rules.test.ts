import { expect, test } from "vitest";

import { contactProblems, type ContactValues, emptyContact, isFilled } from "./rules.ts";

const good: ContactValues = {
  firstName: "Ada",
  lastName: "Brown",
  emailAddress: "ada@example.com",
  zipCode: "46032",
  phoneNumber: "",
  message: "Where is my box?",
};
const wrong = (change: Partial<ContactValues>) => contactProblems({ ...good, ...change }).map(({ message }) => message);

test("a form that is filled rightly has no problem", { tags: ["spec:5-34"] }, () => {
  expect([isFilled(good), contactProblems(good)]).toEqual([true, []]);
});

test.each(["firstName", "lastName", "emailAddress", "zipCode", "message"] as const)(
  "without %s nothing can be sent",
  { tags: ["spec:5-40"] },
  (field) => {
    expect(isFilled({ ...good, [field]: "  " })).toBe(false);
  },
);

test("the phone may stay empty, and 500 characters are enough", { tags: ["spec:5-38", "spec:5-39"] }, () => {
  expect(isFilled(emptyContact)).toBe(false);
  expect(isFilled({ ...good, message: "a".repeat(500) })).toBe(true);
  expect(isFilled({ ...good, message: "a".repeat(501) })).toBe(false);
});

test.each([
  [{ emailAddress: "a@b" }, ["Valid email is required"]],
  [{ emailAddress: "ada.example.com" }, ["Valid email is required"]],
  [{ emailAddress: "ada brown@example.com" }, ["Valid email is required"]],
  [{ emailAddress: "a@b.c" }, []],
  [{ zipCode: "4603" }, ["Valid zip code is required"]],
  [{ zipCode: "46032-12" }, ["Valid zip code is required"]],
  [{ zipCode: "46032-1234" }, []],
  [{ phoneNumber: "555" }, ["Phone Number not valid"]],
  [{ phoneNumber: "(317) 555-0142" }, []],
  [{ phoneNumber: "+1 317-555-0142" }, []],
  [{ firstName: " ", lastName: "" }, ["Your first name is required", "Your last name is required"]],
])("%j", { tags: ["spec:5-35", "spec:5-36", "spec:5-37", "spec:5-38", "spec:9-02"] }, (change, messages) => {
  expect(wrong(change)).toEqual(messages);
});
