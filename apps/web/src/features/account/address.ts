import type { Address } from "@marketday/contracts/common";
import { ZIP_PATTERN } from "@marketday/domain/limits";
import type { FormProblem } from "@marketday/ui/form.tsx";

import { messages } from "../../lib/messages.ts";
import { usStates } from "./us-states.ts";

/** An address as it is being typed: every field is there, all of them text. */
export type AddressDraft = Address;
export type AddressField = keyof Address;

export const emptyAddress: AddressDraft = {
  address: "",
  address2: "",
  city: "",
  state: "",
  zipCode: "",
  instructions: "",
};

/** The id of a field's control, for the error summary. */
export const addressControl = (field: AddressField) => `address-${field}`;

const rules: [field: AddressField, message: string, met: (address: AddressDraft) => boolean][] = [
  ["address", messages.addressStreet, ({ address }) => address.trim() !== ""],
  ["city", messages.addressCity, ({ city }) => city.trim() !== ""],
  ["state", "Choose a state", ({ state }) => usStates.some(([code]) => code === state)],
  ["zipCode", messages.addressZip, ({ zipCode }) => ZIP_PATTERN.test(zipCode)],
];

/** What is still wrong with an address (spec §5 Address form), in the order of the form. */
export const addressProblems = (address: AddressDraft): FormProblem[] =>
  rules.flatMap(([field, message, met]) => (met(address) ? [] : [{ field: addressControl(field), message }]));
