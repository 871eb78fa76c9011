import { NewLead } from "@marketday/contracts/leads";
import { expect, test } from "vitest";

import { applicationBody, applicationProblems, type ApplicationValues, emptyApplication } from "./fields.ts";

const good: ApplicationValues = {
  business: "Hill Farm",
  name: " Ada Brown ",
  email: "ada@example.com",
  phone: "(317) 555-0142",
  zipCode: "46032",
  website: "",
  vehicle: "A van",
  position: "Packer",
  days: ["Friday", "Monday"],
  text: "Eggs.",
};

test.each(["vendor", "driver", "job"] as const)(
  "what the %s form finds right, the call takes",
  { tags: ["spec:1-06"] },
  (kind) => {
    expect(applicationProblems(kind, good)).toEqual([]);
    expect(NewLead.parse(applicationBody(kind, good))).toMatchObject({ kind, name: "Ada Brown" });
  },
);

test("what is missing is named in the order of the fields", { tags: ["spec:1-06"] }, () => {
  expect(applicationProblems("driver", emptyApplication).map(({ message }) => message)).toEqual([
    "Enter your name",
    "Valid email is required",
    "Phone Number not valid",
    "Must be 5 digits",
    "Tell us what you drive",
    "Choose the days you can drive",
  ]);
  expect(applicationProblems("vendor", { ...good, text: "a".repeat(1001) })).toHaveLength(1);
  expect(applicationProblems("driver", { ...good, text: "" })).toEqual([]);
});

test("days go in the order of the week", () => {
  expect(applicationBody("driver", good)).toMatchObject({ days: ["Monday", "Friday"] });
});
