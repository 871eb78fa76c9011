import { transaction } from "@marketday/db";
import { PASSWORD_MIN_RESET } from "@marketday/domain/limits";

import type { Env } from "../../env.ts";
import { sessionExpired } from "../../lib/app-error.ts";
import { hashPassword, assertGoodPassword } from "../../lib/password.ts";
import { newUuid } from "../../lib/tokens.ts";
import type { Context } from "../identity/context.ts";
import { endCustomerSessions } from "../identity/session-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { lockPassword } from "./password-sql.ts";
import { type PasswordOwner, setPassword } from "./password-store.ts";

/** Changes the password after the old one was proved, ends every other session, and sends a notice. Returns the ended sessions. */
export async function changePassword(ctx: Context, owner: PasswordOwner, newPassword: string): Promise<string[]> {
  const { deps, actor, now } = ctx;
  assertNewPassword(deps.env, newPassword, owner);
  const passwordHash = await hashPassword(newPassword, deps.env.pepper);
  return transaction(deps.db, async (tx) => {
    // A change of the password in the meantime ended the session.
    if (!(await lockPassword(tx, owner.id, owner.password_hash))) throw sessionExpired();
    await setPassword(tx, owner.id, passwordHash, now);
    const ended = await endCustomerSessions(tx, owner.id, "sessionId" in actor ? actor.sessionId : null, now);
    await enqueueMail(tx, {
      key: `password-changed:${newUuid()}`,
      template: "password-changed",
      customerId: owner.id,
      data: {},
      now,
    });
    return ended;
  });
}

/** Whose password it is. `hub_name`: the market they shop in; null without one. */
interface Named {
  first_name: string;
  last_name: string;
  email: string;
  hub_name: string | null;
}

/** The names that a password must not consist of: the customer's, their email and its parts, and both names of the market (failures.md F11). */
export const namesOf = (env: Env, of: Named): string[] => [
  of.first_name,
  of.last_name,
  of.email,
  env.marketName,
  of.hub_name ?? "",
];

/** A new password (spec §5 Password reset): at least 6 characters, not a common one, not the customer's or the market's names. */
export function assertNewPassword(env: Env, password: string, of: Named): void {
  const min = Math.max(PASSWORD_MIN_RESET, env.passwordMin);
  assertGoodPassword(password, {
    min,
    names: namesOf(env, of),
    tooShort: `Password must be at least ${min} characters long.`,
  });
}
