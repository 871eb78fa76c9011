import { RESET_TOKEN_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import type { Context } from "../../lib/context.ts";
import type { Limits } from "../../lib/limits.ts";
import { newToken, sha256 } from "../../lib/tokens.ts";
import { insertReset } from "./password-store.ts";

/**
 * Mails a link that sets a new password: once, within the hour. Says nothing, whoever asks: an address nobody has, and one
 * that was asked for too often, cost the same work (failures.md E7, F17).
 */
export async function forgotPassword({ deps, now }: Context, limits: Limits, email: string): Promise<void> {
  const allowed = await limits.reset.isAllowed(email);
  const token = newToken();
  // The work is the same for an address that has had its mails: it goes to nobody.
  await insertReset(deps.db, {
    email: allowed ? email : "",
    token,
    tokenHash: sha256(token),
    expiresAt: addMs(now, RESET_TOKEN_MS),
    now,
  });
}
