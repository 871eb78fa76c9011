import type { Customer, ProfileChange } from "@marketday/contracts/account";
import { isEmail, US_PHONE_PATTERN } from "@marketday/domain/limits";
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

const trimmed = (value: unknown) => (typeof value === "string" ? value.trim() : value);

/** What differs from what the market knows: only that is sent, so that a name made of first and last stays that. */
export function changesOf(profile: Customer, values: Details): ProfileChange {
  const before = detailsOf(profile);
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, trimmed(value)] as const)
      .filter(([name, value]) => value !== before[name]),
  );
}

/** The id of a field's control. */
export const detailControl = (field: keyof Details) => `details-${field}`;

const rules: [field: keyof Details, message: string, met: (values: Details) => boolean][] = [
  ["handle", "A username is required", ({ handle }) => handle.trim() !== ""],
  ["firstName", "Your first name is required", ({ firstName }) => firstName.trim() !== ""],
  ["lastName", "Your last name is required", ({ lastName }) => lastName.trim() !== ""],
  ["email", "Valid email is required", ({ email }) => isEmail(email)],
  ["phone", "Phone Number not valid", ({ phone }) => phone.trim() === "" || US_PHONE_PATTERN.test(phone.trim())],
];

/** What is still wrong with them (spec §5 Profile), in the order of the form. */
export const detailsProblems = (values: Details): FormProblem[] =>
  rules.flatMap(([field, message, met]) => (met(values) ? [] : [{ field: detailControl(field), message }]));
