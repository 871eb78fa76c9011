import { STATES } from "@marketday/contracts/common";
import { describe, expect, test } from "vitest";

import { addressProblems, emptyAddress } from "./address.ts";
import { addressLine } from "./fulfillment.ts";
import { usStates } from "./us-states.ts";

const good = { address: "12 Oak St", address2: "", city: "Carmel", state: "IN", zipCode: "46032", instructions: "" };

describe("the address form", () => {
  test("a whole address has no problem", () => {
    expect(addressProblems(good)).toEqual([]);
  });

  test("an empty one names each field, in order", { tags: ["spec:5-27", "spec:5-28", "spec:5-29"] }, () => {
    expect(addressProblems(emptyAddress)).toEqual([
      { field: "address-address", message: "Address is required" },
      { field: "address-city", message: "City is required" },
      { field: "address-state", message: "Choose a state" },
      { field: "address-zipCode", message: "Must be 5 digits" },
    ]);
  });

  test.each(["4603", "460321", "4603a", "46032-1234", " 46032"])(
    "zip %j is refused",
    { tags: ["spec:5-29"] },
    (zipCode) => {
      expect(addressProblems({ ...good, zipCode })).toEqual([
        { field: "address-zipCode", message: "Must be 5 digits" },
      ]);
    },
  );

  test("the states are the 50 and DC, as the server knows them", { tags: ["spec:5-30"] }, () => {
    expect(usStates.map(([code]) => code).toSorted()).toEqual([...STATES].toSorted());
    expect(usStates).toHaveLength(51);
  });

  test("reads as one line", () => {
    expect(addressLine({ ...good, address2: "Apt 4" })).toBe("12 Oak St, Apt 4, Carmel, IN 46032");
  });
});
