import type { Customer, ProfileChange } from "@marketday/contracts/account";
import { cleanCode, cleanLine, cleanPhone, isEmail, isPhone } from "@marketday/domain/text";
import type { FormProblem } from "@marketday/ui/form.tsx";

/** My Details as they are being typed; `handle` is the form's username. */
export interface Details extends Record<string, unknown> {
  handle: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  isGlutenFree: boolean;
  isVegan: boolean;
  subscribedAllMessages: boolean;
  subscribedMarketingEmails: boolean;
  subscribedMarketingSms: boolean;
}

export const detailsOf = (profile: Customer): Details => ({
  handle: profile.handle ?? "",
  firstName: profile.firstName ?? "",
  lastName: profile.lastName ?? "",
  email: profile.email ?? "",
  phone: profile.phone ?? "",
  isGlutenFree: profile.isGlutenFree,
  isVegan: profile.isVegan,
  subscribedAllMessages: profile.subscribedAllMessages,
  subscribedMarketingEmails: profile.subscribedMarketingEmails,
  subscribedMarketingSms: profile.subscribedMarketingSms,
});

const cleaned = (name: string, value: unknown) => {
  if (typeof value !== "string") return value;
  return name === "phone" ? cleanPhone(value) : name === "email" ? cleanCode(value) : cleanLine(value);
};

/** What differs from what the market knows: only that is sent, so that a name made of first and last stays that. */
export function changesOf(profile: Customer, values: Details): ProfileChange {
  const before = detailsOf(profile);
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, cleaned(name, value)] as const)
      // A stored value may be older than the cleaning.
      .filter(([name, value]) => value !== cleaned(name, before[name])),
  );
}

/** The id of a field's control. */
export const detailControl = (field: keyof Details) => `details-${field}`;

const rules: [field: keyof Details, message: string, met: (values: Details) => boolean][] = [
  ["handle", "A username is required", ({ handle }) => cleanLine(handle) !== ""],
  ["firstName", "Your first name is required", ({ firstName }) => cleanLine(firstName) !== ""],
  ["lastName", "Your last name is required", ({ lastName }) => cleanLine(lastName) !== ""],
  ["email", "Valid email is required", ({ email }) => isEmail(email)],
  ["phone", "Phone Number not valid", ({ phone }) => cleanPhone(phone) === "" || isPhone(phone)],
];

/** What is still wrong with them (spec §5 Profile), in the order of the form. */
export const detailsProblems = (values: Details): FormProblem[] =>
  rules.flatMap(([field, message, met]) => (met(values) ? [] : [{ field: detailControl(field), message }]));
