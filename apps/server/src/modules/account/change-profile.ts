import type { ProfileChange } from "@marketday/contracts/account";
import { isUniqueViolation, transaction } from "@marketday/db";
import { EMAIL_UNDO_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import { AppError, sessionExpired } from "../../lib/app-error.ts";
import { newToken, sha256 } from "../../lib/tokens.ts";
import { lockPassword } from "../auth/password-sql.ts";
import { endResets, type PasswordOwner } from "../auth/password-store.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { fulfillmentChanged } from "../payments/fulfillment-handler.ts";
import { setFulfillment } from "../profile/fulfillment.ts";
import { insertEmailChange } from "./email-change-store.ts";
import { lockProfile } from "./profile-sql.ts";
import { updateProfile } from "./profile-store.ts";

export const passwordRequired = () =>
  new AppError(400, "Enter your current password to change your email.", {
    code: "password_required",
    field: "currentPassword",
  });

/**
 * Changes a customer's profile; fields that are left out stay. A new email invalidates reset links that were sent to the old
 * one; the old address gets a link that undoes the change for 7 days. A taken email is 409. A place that the market does not deliver
 * to is stored too: the answer's `homeDelivery` says so, because pickup stays possible (docs/product.md §3).
 * @param proven who proved the password, for a new email; null: 400 `password_required`
 */
export async function changeProfile(
  ctx: Context,
  customerId: CustomerId,
  { deliveryAddress, pickupPointId, ...change }: Omit<ProfileChange, "currentPassword">,
  proven: PasswordOwner | null,
): Promise<void> {
  const { deps, now } = ctx;
  try {
    await transaction(deps.db, async (tx) => {
      const before = await lockProfile(tx, customerId);
      if (before) await updateProfile(tx, customerId, before.zip_code, change);
      if (
        (deliveryAddress !== undefined || pickupPointId !== undefined) &&
        (await setFulfillment(ctx, tx, customerId, { deliveryAddress, pickupPointId }))
      )
        await fulfillmentChanged(ctx, tx, customerId);
      const oldEmail = before?.email ?? null;
      if (change.email === undefined || oldEmail === null || change.email === oldEmail) return;
      if (proven === null) throw passwordRequired();
      // A change of the password in the meantime ended the session.
      if (!(await lockPassword(tx, customerId, proven.password_hash))) throw sessionExpired();
      await endResets(tx, customerId, now);
      const token = newToken();
      const tokenHash = sha256(token);
      const expiresAt = addMs(now, EMAIL_UNDO_MS);
      await insertEmailChange(tx, { customerId, oldEmail, newEmail: change.email, tokenHash, expiresAt, now });
      await enqueueMailTo(tx, {
        key: `email-changed:${tokenHash}`,
        template: "email-changed",
        to: oldEmail,
        data: { token },
        notBefore: null,
        isSecret: true,
        now,
      });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError(409, "Another account has this email already.", { code: "email_taken", field: "email" });
  }
}
