import { inviteStaff } from "@marketday/contracts/admin/staff";

import { AppError } from "../../lib/app-error.ts";
import { messageFor } from "../../lib/validate.ts";

const Person = inviteStaff.schema.body.pick({ email: true, name: true });

/**
 * The address and name of a person as the admin API accepts them, for the command line.
 * @throws AppError 400 `invalid`, with the API's message
 */
export function parsePerson(given: { email: string; name: string }): { email: string; name: string } {
  const result = Person.safeParse(given, { error: messageFor });
  if (result.success) return result.data;
  const [first] = result.error.issues;
  throw new AppError(400, first?.message ?? "Check the address and the name.", {
    code: "invalid",
    field: first?.path.join(".") ?? "",
  });
}
