import { AppError, notFound } from "../../lib/app-error.ts";
import { deleteAccount } from "../account/delete-account.ts";
import { exportByHand } from "../account/export-account.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { getStaffCustomer } from "./staff-customer.ts";
import { findPerson } from "./store.ts";

/** All data of a person, also of a deleted one, as `market customers export` writes it; audited. @throws AppError 404 */
export async function exportCustomer(ctx: Context, id: number): Promise<Record<string, unknown>> {
  if (!(await findPerson(ctx.deps.db, id))) throw notFound();
  return exportByHand(ctx, asCustomerId(id), "", false);
}

/**
 * Deletes an account for good, as `market customers delete`; audited. @returns the ended sessions
 * @throws AppError 404; 403; 409 `deleted`, `order_open`; 422 `wrong_email` when the typed email is not theirs
 */
export async function deleteCustomer(
  ctx: Context,
  id: number,
  { email, reason }: { email: string; reason: string },
): Promise<string[]> {
  const person = await getStaffCustomer(ctx, id, "people.delete");
  if (person.email !== email.trim().toLowerCase())
    throw new AppError(422, "This is not the email of this person. Nothing was done.", {
      code: "wrong_email",
      field: "email",
    });
  return deleteAccount(ctx, person.customerId, reason);
}
