import { sqlTransaction } from "@marketday/db";

import type { Context } from "../../lib/context.ts";
import { hashPassword } from "../../lib/password.ts";
import { newUuid } from "../../lib/tokens.ts";
import { enqueueMail } from "../mail/store.ts";
import { assertNewPassword } from "./new-password.ts";
import { type PasswordOwner, setPassword } from "./password-store.ts";
import { endCustomerSessions } from "./session-store.ts";

/** Changes the password of somebody who has just proved the old one; every other session ends (it answers those), and a mail says so. */
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
