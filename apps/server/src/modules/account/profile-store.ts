import type { ProfileChange } from "@marketday/contracts/account";
import type { Tx } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";

/**
 * Writes the given fields; a point belongs to its ZIP code and goes with it. Throws a unique violation when another customer has
 * the email.
 * @param zipCodeBefore the customer's ZIP code, whose row is locked
 */
export async function updateProfile(
  tx: Tx,
  customerId: CustomerId,
  zipCodeBefore: string | null,
  change: Omit<ProfileChange, "deliveryAddress" | "pickupPointId" | "currentPassword">,
): Promise<void> {
  const isMoved = change.zipCode !== undefined && change.zipCode !== zipCodeBefore;
  await tx.customer.updateMany({
    where: { id: customerId, deleted_at: null },
    data: {
      first_name: change.firstName,
      last_name: change.lastName,
      handle: change.handle,
      email: change.email,
      phone: change.phone,
      zip_code: change.zipCode,
      ...(isMoved && { lat: null, lng: null }),
      is_gluten_free: change.isGlutenFree,
      is_vegan: change.isVegan,
      subscribed_all_messages: change.subscribedAllMessages,
      subscribed_marketing_emails: change.subscribedMarketingEmails,
      subscribed_marketing_sms: change.subscribedMarketingSms,
    },
  });
}
