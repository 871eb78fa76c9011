import { AppError, sessionExpired } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { verifyPassword } from "../../lib/password.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { findPasswordOwner, type PasswordOwner } from "./password-store.ts";

/**
 * Checks a logged-in customer's password before an action that cannot be undone. A wrong one is 400 and counts as a
 * failed login (failures.md F21).
 */
export async function provePassword(
  { deps }: Context,
  limits: Limits,
  customerId: CustomerId,
  password: string,
  from: { ip: string; deviceOf: (account: string) => string | null },
  field = "password",
): Promise<PasswordOwner> {
  const owner = await findPasswordOwner(deps.db, customerId);
  if (!owner) throw sessionExpired();
  const attempt = { ip: from.ip, account: owner.email, device: from.deviceOf(owner.email) };
  await limits.login.check(attempt);
  if (!(await verifyPassword(owner.password_hash, password, deps.env.pepper))) {
    await limits.login.failed(attempt);
    throw new AppError(400, "That is not your current password.", { code: "wrong_password", field });
  }
  await limits.login.succeeded(attempt);
  return owner;
}
