import type { Input } from "@marketday/contracts/endpoint";
import type { contactUs } from "@marketday/contracts/problems";
import { isEmail, CONTACT_MESSAGE_MAX, US_PHONE_PATTERN, ZIP_PLUS_FOUR_PATTERN } from "@marketday/domain/limits";
import type { FormProblem } from "@marketday/ui/form.tsx";

import { screenMessages } from "../../lib/screen-messages.ts";

/** The contact form as it is typed. */
export type ContactValues = Omit<Input<typeof contactUs>["body"], "token" | "phoneNumber"> & { phoneNumber: string };
export type ContactField = keyof ContactValues;

export const emptyContact: ContactValues = {
  firstName: "",
  lastName: "",
  emailAddress: "",
  zipCode: "",
  phoneNumber: "",
  message: "",
};

/** Ids of the fields. */
export const contactControl = (field: ContactField) => `contact-${field}`;

const needed: ContactField[] = ["firstName", "lastName", "emailAddress", "zipCode", "message"];

/** Spec §5 Contact form: nothing can be sent before these five are filled. */
export const isFilled = (values: ContactValues): boolean =>
  needed.every((field) => values[field].trim() !== "") && values.message.trim().length <= CONTACT_MESSAGE_MAX;

/** What is wrong with a filled form, in the spec's words; the server thinks the same. */
export function contactProblems(values: ContactValues): FormProblem[] {
  const phone = values.phoneNumber.trim();
  const checks: [ContactField, boolean, string][] = [
    ["firstName", values.firstName.trim() !== "", screenMessages.contactFirstName],
    ["lastName", values.lastName.trim() !== "", screenMessages.contactLastName],
    ["emailAddress", isEmail(values.emailAddress), screenMessages.contactEmail],
    ["zipCode", ZIP_PLUS_FOUR_PATTERN.test(values.zipCode.trim()), screenMessages.contactZip],
    ["phoneNumber", phone === "" || US_PHONE_PATTERN.test(phone), screenMessages.contactPhone],
  ];
  return checks.flatMap(([field, ok, message]) => (ok ? [] : [{ field: contactControl(field), message }]));
}
