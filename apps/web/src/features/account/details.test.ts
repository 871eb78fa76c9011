import type { Customer } from "@marketday/contracts/account";
import { expect, test } from "vitest";

import { changesOf, detailsOf, detailsProblems } from "./details.ts";

const profile = {
  handle: "Ada Brown",
  firstName: "Ada",
  lastName: "Brown",
  email: "ada@example.com",
  phone: null,
  isGlutenFree: false,
  isVegan: false,
  subscribedAllMessages: true,
  subscribedMarketingEmails: false,
  subscribedMarketingSms: false,
} as Customer;
const values = detailsOf(profile);

test("nothing typed is no change, and only what differs is sent", { tags: ["spec:5-32"] }, () => {
  expect(changesOf(profile, values)).toEqual({});
  expect(changesOf(profile, { ...values, firstName: " Ada " })).toEqual({});
  expect(changesOf(profile, { ...values, lastName: "Green", isVegan: true })).toEqual({
    lastName: "Green",
    isVegan: true,
  });
});

test("a stored value with characters that cleaning removes is no change", () => {
  const pasted = { ...profile, email: "ada@example.com\u200B", lastName: "Bro\u00ADwn" };
  expect(changesOf(pasted, { ...detailsOf(pasted), isVegan: true })).toEqual({ isVegan: true });
});

test.each([
  ["handle", " ", "A username is required"],
  ["firstName", "", "Your first name is required"],
  ["lastName", " ", "Your last name is required"],
  ["email", "", "Valid email is required"],
  ["email", "ada.example.com", "Valid email is required"],
  ["phone", "12345", "Phone Number not valid"],
])("%s %j", { tags: ["spec:5-32"] }, (field, value, message) => {
  expect(detailsProblems({ ...values, [field]: value })).toEqual([{ field: `details-${field}`, message }]);
});

test("a phone is optional and may be written as people write it", () => {
  for (const phone of ["", "317-555-0142", "(317) 555 0142", "+1 317.555.0142"])
    expect(detailsProblems({ ...values, phone })).toEqual([]);
});
