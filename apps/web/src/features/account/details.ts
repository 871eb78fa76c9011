import { problemsOf } from "@marketday/client/forms/problems.ts";
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

/** The ids of the fields that can be wrong. */
export const detailIds = {
  handle: "details-handle",
  firstName: "details-firstName",
  lastName: "details-lastName",
  email: "details-email",
  phone: "details-phone",
  currentPassword: "details-current-password",
} as const;

/** What is still wrong with them (spec §5 Profile), in the order of the form. */
export const detailsProblems = ({ handle, firstName, lastName, email, phone }: Details): FormProblem[] =>
  problemsOf(detailIds, {
    handle: cleanLine(handle) === "" && "A username is required",
    firstName: cleanLine(firstName) === "" && "Your first name is required",
    lastName: cleanLine(lastName) === "" && "Your last name is required",
    email: !isEmail(email) && "Valid email is required",
    phone: cleanPhone(phone) !== "" && !isPhone(phone) && "Phone Number not valid",
  });
