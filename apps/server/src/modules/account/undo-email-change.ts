import { isUniqueViolation, transaction } from "@marketday/db";
import { RESET_TOKEN_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { newToken, sha256 } from "../../lib/tokens.ts";
import { insertReset } from "../auth/password-sql.ts";
import { clearPassword } from "../auth/password-store.ts";
import { endCustomerSessions } from "../identity/session-sql.ts";
import { lockChangedCustomer } from "./email-change-sql.ts";
import { findOpenEmailChange, restoreEmail } from "./email-change-store.ts";
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
    return await transaction(deps.db, async (tx): Promise<UndoResult> => {
      const tokenHash = sha256(token);
      if (!(await lockChangedCustomer(tx, tokenHash))) return { state: "expired" };
      // Read after the lock: no one else can undo it now.
      const change = await findOpenEmailChange(tx, tokenHash, now);
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
