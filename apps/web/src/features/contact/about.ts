import type { Customer } from "@marketday/contracts/account";

import { knownZip } from "../account/known-zip.ts";
import type { ContactValues } from "./rules.ts";

/** What the market knows about the writer. */
export const aboutOf = (profile: Customer | null | undefined): Partial<ContactValues> => ({
  firstName: profile?.firstName ?? "",
  lastName: profile?.lastName ?? "",
  emailAddress: profile?.email ?? "",
  zipCode: knownZip(profile),
  phoneNumber: profile?.phone ?? "",
});
