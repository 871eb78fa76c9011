import { isUniqueViolation, sqlTransaction } from "@marketday/db";
import { RESET_TOKEN_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { newToken, sha256 } from "../../lib/tokens.ts";
import { clearPassword, insertReset } from "../auth/password-store.ts";
import { endCustomerSessions } from "../identity/session-store.ts";
import { lockEmailChange, restoreEmail } from "./email-change-store.ts";
import { endExports } from "./export-store.ts";

export type UndoResult =
  | { state: "restored"; endedSessions: string[] }
  /** Used, older than 7 days, undone by an earlier link, or unknown. */
  | { state: "expired" }
  /** Another account has the address now. */
  | { state: "taken" };

/**
 * Returns an account to the owner of its former address (docs/product.md §17): restores the address, ends every session
 * and every other link, clears the password, because the person who changed the address knew it, and emails a link for a new one.
 */
export async function undoEmailChange(deps: Deps, token: string, now: Date): Promise<UndoResult> {
  try {
    return await sqlTransaction(deps.db, async (tx): Promise<UndoResult> => {
      const change = await lockEmailChange(tx, sha256(token), now);
      if (!change) return { state: "expired" };
      await restoreEmail(tx, change, now);
      await clearPassword(tx, change.customerId, now);
      await endExports(tx, change.customerId, now);
      const endedSessions = await endCustomerSessions(tx, change.customerId, null, now);
      const reset = newToken();
      await insertReset(tx, {
        email: change.oldEmail,
        token: reset,
        tokenHash: sha256(reset),
        expiresAt: addMs(now, RESET_TOKEN_MS),
        now,
      });
      return { state: "restored", endedSessions };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return { state: "taken" };
  }
}
