import type { Tx } from "@marketday/db";
import { referralEntries } from "@marketday/domain/ledger";
import { REFERRAL_CREDIT } from "@marketday/domain/limits";

import { bookPurchase } from "../ledger/booking-store.ts";
import { enqueueMail } from "../mail/store.ts";
import { markCredited, type Orders } from "./store.ts";

/**
 * Credits the referrers of friends whose first order is closed and paid: captured, paid at the door, or covered by store
 * credit (docs/product.md §17, failures.md K5). Idempotent: each referral is credited once. Must be called in the transaction
 * that records the payment.
 */
export async function creditReferrers(tx: Tx, orders: Orders, now: Date): Promise<void> {
  const credited = await markCredited(tx, orders, now);
  for (const { referrer_id: referrerId, friend_id: friendId } of credited) {
    const booking = { kind: "referral", paymentId: null, note: `friend ${friendId}`, now };
    await bookPurchase(tx, booking, referralEntries(referrerId, REFERRAL_CREDIT));
    await enqueueMail(tx, {
      key: `referral-credit:${friendId}`,
      template: "referral-credit",
      customerId: referrerId,
      data: { amountCents: REFERRAL_CREDIT },
      now,
    });
  }
}
