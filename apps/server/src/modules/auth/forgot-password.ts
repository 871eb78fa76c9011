import { RESET_TOKEN_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import type { Limits } from "../../lib/limits.ts";
import { newToken, sha256 } from "../../lib/tokens.ts";
import type { Context } from "../identity/context.ts";
import { insertReset } from "./password-sql.ts";

/** Emails a link that sets a new password: once, within the hour. At most 3 an hour and 10 a day per email (failures.md E7). */
async function sendResetLink({ deps, now }: Context, limits: Limits, email: string): Promise<void> {
  if (!(await limits.reset.isAllowed(email))) return;
  const token = newToken();
  await insertReset(deps.db, {
    email,
    token,
    tokenHash: sha256(token),
    expiresAt: addMs(now, RESET_TOKEN_MS),
    now,
  });
}

/**
 * Starts the work of `POST /auth/forgot` and does not wait for it: the response is sent before the first statement, so it
 * takes as long for an address with an account as for one without (failures.md E7, F17). The caller has counted the
 * request against its network address. Returns the work, which a stopping server waits for.
 */
export const forgotPassword = (ctx: Context, limits: Limits, email: string): Promise<void> =>
  sendResetLink(ctx, limits, email).catch((error: unknown) =>
    ctx.deps.log.error({ err: error }, "a password reset could not be sent"),
  );
