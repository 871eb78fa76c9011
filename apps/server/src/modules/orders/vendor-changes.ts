import type { AnyTx } from "@marketday/db";

import { newUuid } from "../../lib/tokens.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { findVendorChanges, type TakenUnits } from "./vendor-change-sql.ts";

/**
 * Emails the vendors who were sent a day's quantities at its cutoff that they bring less: one email per vendor and action, with the
 * old and new quantities. Must be called in the transaction that removes the units, after it removed them. Nothing is sent for
 * other items, for a day whose quantities were not sent yet, or for a day that is over.
 * @param key of the emails: a second one with the same is dropped. Default: each is another one
 * @returns the vendors' names
 */
export async function mailVendorChanges(
  tx: AnyTx,
  deliveryId: number,
  taken: readonly TakenUnits[],
  now: Date,
  key: string = newUuid(),
): Promise<string[]> {
  if (taken.length === 0) return [];
  const changed = await findVendorChanges(tx, deliveryId, taken, now);
  for (const { vendor_id: vendorId, email, change } of changed)
    await enqueueMailTo(tx, {
      key: `vendor-change:${deliveryId}:${vendorId}:${key}`,
      template: "vendor-change",
      to: email,
      data: change,
      notBefore: null,
      isSecret: false,
      now,
    });
  return changed.map(({ change }) => change.vendor);
}
