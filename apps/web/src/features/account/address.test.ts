import { STATES } from "@marketday/contracts/common";
import { describe, expect, test } from "vitest";

import { type AddressDraft, addressProblems, emptyAddress, newAddress, typeAddress, withPlace } from "./address.ts";
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

describe("what a ZIP code fills in", () => {
  const carmel = { city: "Carmel", state: "IN" };
  const chicago = { city: "Chicago", state: "IL" };
  const typed = (address: AddressDraft, change: Partial<AddressDraft>) => ({
    ...address,
    ...typeAddress(address, change),
  });
  const shown = (address: AddressDraft, place: Parameters<typeof withPlace>[1]) => {
    const { city, state } = withPlace(address, place);
    return [city, state];
  };

  test("a new address has city and state of its ZIP code, and those of the next one; none for a ZIP code that does not exist", () => {
    const address = newAddress("46032");
    expect(shown(address, undefined)).toEqual(["", ""]);
    expect(shown(address, carmel)).toEqual(["Carmel", "IN"]);
    const seen = withPlace(address, carmel);
    const moved = typed(seen, { zipCode: "60614" });
    expect(shown(moved, undefined)).toEqual(["", ""]);
    expect(shown(moved, chicago)).toEqual(["Chicago", "IL"]);
    expect(shown(seen, null)).toEqual(["", ""]);
    expect(addressProblems(withPlace(typed(address, { address: "12 Oak St" }), carmel))).toEqual([]);
  });

  test("what was typed stays, emptied or equal to what was filled in, whatever ZIP code follows", () => {
    const seen = withPlace(newAddress("46032"), carmel);
    const ownCity = typed(seen, { city: "Home Place" });
    expect(shown(ownCity, carmel)).toEqual(["Home Place", "IN"]);
    expect(shown(typed(ownCity, { zipCode: "60614" }), chicago)).toEqual(["Home Place", "IL"]);
    expect(shown(typed(seen, { city: "" }), carmel)).toEqual(["", "IN"]);
    const both = typed(typed(seen, { city: "Carmel" }), { state: "IN" });
    expect(shown(typed(both, { zipCode: "60614" }), chicago)).toEqual(["Carmel", "IN"]);
    expect(shown(typed(both, { zipCode: "00000" }), null)).toEqual(["Carmel", "IN"]);
  });

  test("a stored address is its owner's: another ZIP code changes nothing else", () => {
    expect(shown(good, chicago)).toEqual(["Carmel", "IN"]);
    expect(typeAddress(good, { zipCode: "60614" })).toEqual({ zipCode: "60614" });
  });

  test("a city that the tables do not know is left to the shopper", () => {
    expect(shown(newAddress("46032"), { city: "", state: "IN" })).toEqual(["", "IN"]);
  });
});
