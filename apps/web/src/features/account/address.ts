import type { Address } from "@marketday/contracts/common";
import { ZIP_PATTERN } from "@marketday/domain/limits";
import type { FormProblem } from "@marketday/ui/form.tsx";

import { messages } from "../../lib/messages.ts";

/** What a ZIP code says about an address: the post office's city, "" where it is unknown, and the state. */
export type ZipPlace = Pick<Address, "city" | "state">;
/** An address as it is being typed: every field is there, all of them text. `auto`: the fields that its ZIP code fills in. */
export type AddressDraft = Address & { auto?: (keyof ZipPlace)[] };
export type AddressField = keyof Address;

export const emptyAddress: AddressDraft = {
  address: "",
  address2: "",
  city: "",
  state: "",
  zipCode: "",
  instructions: "",
};

/** No address yet, of which the ZIP code may be known. */
export const newAddress = (zipCode: string | null): AddressDraft => ({
  ...emptyAddress,
  zipCode: zipCode ?? "",
  auto: ["city", "state"],
});

/** An address with what its ZIP code fills in. `place` null: there is no such ZIP code; undefined: unknown, and all stays. */
export function withPlace<T extends AddressDraft>(address: T, place: ZipPlace | null | undefined): T {
  if (place === undefined || !address.auto) return address;
  return { ...address, ...Object.fromEntries(address.auto.map((field) => [field, place?.[field] ?? ""])) };
}

/** A change as it was typed: what is typed is filled in no more, and another ZIP code empties what the one before filled in. */
export function typeAddress({ auto = [] }: AddressDraft, change: Partial<Address>): Partial<AddressDraft> {
  const left = auto.filter((field) => !(field in change));
  const emptied = "zipCode" in change ? Object.fromEntries(left.map((field) => [field, ""])) : {};
  return { ...emptied, ...change, ...(left.length < auto.length && { auto: left }) };
}

/** The id of a field's control, for the error summary. */
export const addressControl = (field: AddressField) => `address-${field}`;

const rules: [field: AddressField, message: string, met: (address: AddressDraft) => boolean][] = [
  ["address", messages.addressStreet, ({ address }) => address.trim() !== ""],
  ["city", messages.addressCity, ({ city }) => city.trim() !== ""],
  ["state", "Choose a state", ({ state }) => /^[A-Z]{2}$/.test(state)],
  ["zipCode", messages.addressZip, ({ zipCode }) => ZIP_PATTERN.test(zipCode)],
];

/** What is still wrong with an address (spec §5 Address form), in the order of the form. */
export const addressProblems = (address: AddressDraft): FormProblem[] =>
  rules.flatMap(([field, message, met]) => (met(address) ? [] : [{ field: addressControl(field), message }]));
