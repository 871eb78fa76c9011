import type { Customer } from "@marketday/contracts/account";

import type { ContactValues } from "./rules.ts";

/** What the market knows about the writer. */
export const aboutOf = (profile: Customer | null | undefined): Partial<ContactValues> => ({
  firstName: profile?.firstName ?? "",
  lastName: profile?.lastName ?? "",
  emailAddress: profile?.email ?? "",
  zipCode: profile?.zipCode ?? "",
  phoneNumber: profile?.phone ?? "",
});
