import { sqlTransaction } from "@marketday/db";

import type { Context } from "../../lib/context.ts";
import { hashPassword } from "../../lib/password.ts";
import { newUuid } from "../../lib/tokens.ts";
import { enqueueMail } from "../mail/store.ts";
import { assertNewPassword } from "./new-password.ts";
import { type PasswordOwner, setPassword } from "./password-store.ts";
import { endCustomerSessions } from "./session-store.ts";

/** Changes the password after the old one was proved, ends every other session, and sends a notice. Returns the ended sessions. */
export async function changePassword(ctx: Context, owner: PasswordOwner, newPassword: string): Promise<string[]> {
  const { deps, actor, now } = ctx;
  assertNewPassword(deps.env, newPassword, owner);
  const passwordHash = await hashPassword(newPassword, deps.env.pepper);
  return sqlTransaction(deps.db, async (tx) => {
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
