import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import type { Input } from "@marketday/contracts/endpoint";
import type { contactUs } from "@marketday/contracts/problems";
import { CONTACT_MESSAGE_MAX, ZIP_PLUS_FOUR_PATTERN } from "@marketday/domain/limits";
import { cleanCode, cleanPhone, cleanText, isEmail, isPhone } from "@marketday/domain/text";
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
export const contactIds = controlIds("contact", emptyContact);

const needed: ContactField[] = ["firstName", "lastName", "emailAddress", "zipCode", "message"];

/** Spec §5 Contact form: nothing can be sent before these five are filled. */
export const isFilled = (values: ContactValues): boolean =>
  needed.every((field) => cleanText(values[field]) !== "") && cleanText(values.message).length <= CONTACT_MESSAGE_MAX;

/** What is wrong with a filled form, in the spec's words; the server thinks the same. */
export function contactProblems(values: ContactValues): FormProblem[] {
  const { firstName, lastName, emailAddress, zipCode, phoneNumber: phone } = values;
  return problemsOf(contactIds, {
    firstName: cleanText(firstName) === "" && screenMessages.contactFirstName,
    lastName: cleanText(lastName) === "" && screenMessages.contactLastName,
    emailAddress: !isEmail(emailAddress) && screenMessages.contactEmail,
    zipCode: !ZIP_PLUS_FOUR_PATTERN.test(cleanCode(zipCode)) && screenMessages.contactZip,
    phoneNumber: cleanPhone(phone) !== "" && !isPhone(phone) && screenMessages.contactPhone,
  });
}
