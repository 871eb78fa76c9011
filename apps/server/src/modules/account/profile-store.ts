import type { ProfileChange } from "@marketday/contracts/account";
import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

/** The customer's current email. Locks the row until the transaction ends. Null: the account is deleted. */
export const lockProfile = (tx: Conn, customerId: CustomerId) =>
  queryOne(
    tx,
    sql`select email from customer where id = ${customerId}::int and deleted_at is null for no key update`,
    z.object({ email: z.string().nullable() }),
  );

/** Writes the given fields; a point belongs to its ZIP code and goes with it. Throws a unique violation when another customer has the email. */
export async function updateProfile(
  tx: Conn,
  customerId: CustomerId,
  change: Omit<ProfileChange, "deliveryAddress" | "pickupPointId" | "currentPassword">,
): Promise<void> {
  await execute(
    tx,
    sql`update customer set
          first_name = coalesce(${change.firstName ?? null}::text, first_name),
          last_name = coalesce(${change.lastName ?? null}::text, last_name),
          handle = coalesce(${change.handle ?? null}::text, handle),
          email = coalesce(${change.email ?? null}::text, email),
          phone = case when ${change.phone !== undefined}::boolean then ${change.phone ?? null}::text else phone end,
          zip_code = coalesce(${change.zipCode ?? null}::text, zip_code),
          lat = case when coalesce(${change.zipCode ?? null}::text, zip_code) is distinct from zip_code then null else lat end,
          lng = case when coalesce(${change.zipCode ?? null}::text, zip_code) is distinct from zip_code then null else lng end,
          is_gluten_free = coalesce(${change.isGlutenFree ?? null}::boolean, is_gluten_free),
          is_vegan = coalesce(${change.isVegan ?? null}::boolean, is_vegan),
          subscribed_all_messages = coalesce(${change.subscribedAllMessages ?? null}::boolean, subscribed_all_messages),
          subscribed_marketing_emails = coalesce(${change.subscribedMarketingEmails ?? null}::boolean, subscribed_marketing_emails),
          subscribed_marketing_sms = coalesce(${change.subscribedMarketingSms ?? null}::boolean, subscribed_marketing_sms)
        where id = ${customerId}::int and deleted_at is null`,
  );
}
