import type { ProfileChange } from "@marketday/contracts/account";
import { isUniqueViolation, sqlTransaction } from "@marketday/db";
import { normaliseEmail } from "@marketday/domain/referral";

import { AppError } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { newUuid } from "../../lib/tokens.ts";
import { endResets } from "../auth/password-store.ts";
import { enqueueMailTo } from "../mail/store.ts";
import { lockEmail, saveDefaultAddress, updateProfile } from "./profile-store.ts";

/**
 * Changes what a customer says of themselves; what is left out stays. Another e-mail makes reset links that went to the old
 * one worthless and is told to it, for whoever sits at somebody's open session. Taken: 409.
 */
export async function changeProfile(
  { deps, now }: Context,
  customerId: CustomerId,
  { deliveryAddress, ...change }: ProfileChange,
): Promise<void> {
  try {
    await sqlTransaction(deps.db, async (tx) => {
      const before = await lockEmail(tx, customerId);
      const emailNormal = change.email === undefined ? undefined : normaliseEmail(change.email);
      await updateProfile(tx, customerId, change, emailNormal ?? null);
      if (deliveryAddress) await saveDefaultAddress(tx, customerId, deliveryAddress, now);
      if (change.email === undefined || before === null || change.email === before) return;
      await endResets(tx, customerId, now);
      await enqueueMailTo(tx, {
        key: `email-changed:${newUuid()}`,
        template: "email-changed",
        to: before,
        data: {},
        notBefore: null,
        isSecret: false,
        now,
      });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError(409, "Another account has this email already.", { code: "email_taken", field: "email" });
  }
}
