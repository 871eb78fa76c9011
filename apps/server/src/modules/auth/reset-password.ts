import { transaction } from "@marketday/db";

import { hashPassword } from "../../lib/password.ts";
import { newUuid, sha256 } from "../../lib/tokens.ts";
import type { Context } from "../identity/context.ts";
import { endCustomerSessions } from "../identity/session-sql.ts";
import { insertSession } from "../identity/session-store.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { assertNewPassword } from "./change-password.ts";
import { claimReset, findResetOwner, setPassword } from "./password-store.ts";

interface ResetDone {
  email: string;
  /** The ended sessions. */
  ended: string[];
  /** The new session of a browser that was logged in to the account; null for any other. */
  sessionId: string | null;
}

/**
 * Sets a new password by a mailed link. Null: the link is used, superseded, expired or unknown. Of concurrent uses one succeeds
 * (failures.md F18). Every session of the account ends; a browser that was logged in to it gets a new one.
 */
export async function resetPassword(
  ctx: Context,
  input: { token: string; password: string },
  userAgent: string,
): Promise<ResetDone | null> {
  const { deps, actor, now } = ctx;
  const tokenHash = sha256(input.token);
  const owner = await findResetOwner(deps.db, tokenHash, now);
  if (!owner) return null;
  assertNewPassword(deps.env, input.password, owner);
  const passwordHash = await hashPassword(input.password, deps.env.pepper);
  return transaction(deps.db, async (tx): Promise<ResetDone | null> => {
    if (!(await claimReset(tx, tokenHash, now))) return null;
    await setPassword(tx, owner.id, passwordHash, now);
    const ended = await endCustomerSessions(tx, owner.id, null, now);
    await enqueueMail(tx, {
      key: `password-changed:${tokenHash}`,
      template: "password-changed",
      customerId: owner.id,
      data: {},
      now,
    });
    if (actor.type !== "customer" || actor.customerId !== owner.id)
      return { email: owner.email, ended, sessionId: null };
    const sessionId = newUuid();
    await insertSession(tx, { id: sessionId, owner: { customerId: owner.id }, userAgent, now });
    return { email: owner.email, ended, sessionId };
  });
}
