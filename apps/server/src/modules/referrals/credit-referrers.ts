import type { AnyTx, Tx } from "@marketday/db";
import { referralEntries } from "@marketday/domain/ledger";
import { REFERRAL_CREDIT } from "@marketday/domain/limits";
import { cents } from "@marketday/domain/money";

import { bookPurchase } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { deleteSent, deleteUnsent } from "../mail/outbox-store.ts";
import { lockCredited, markCredited, type Orders } from "./credit-sql.ts";
import { takeCreditBack } from "./store.ts";

const creditMail = (friendId: number): string => `referral-credit:${friendId}`;

/**
 * Credits the referrers of friends whose first order is closed and paid: captured, paid at the door, or covered by store
 * credit (docs/product.md §17, failures.md K5). Idempotent: each referral is credited once. Must be called in the transaction
 * that records the payment.
 */
export async function creditReferrers(tx: AnyTx, orders: Orders, now: Date): Promise<void> {
  const credited = await markCredited(tx, orders, now);
  for (const { referrer_id: referrerId, friend_id: friendId } of credited) {
    const booking = { kind: "referral", paymentId: null, note: `friend ${friendId}`, now };
    await bookPurchase(tx, booking, referralEntries(referrerId, REFERRAL_CREDIT));
    await enqueueMail(tx, {
      key: creditMail(friendId),
      template: "referral-credit",
      customerId: referrerId,
      data: { amountCents: REFERRAL_CREDIT },
      now,
    });
  }
}

/** What became of the credit for a referral whose order is unpaid again. `kept`: the referrer has spent it. */
export interface ReferralUndone {
  referrerId: number;
  isKept: boolean;
}

/**
 * Takes back the credit that referrers got because these orders were paid (docs/product.md §17). A referrer who has less than the
 * credit left has spent it and keeps it, and is not credited again. Must be called in the transaction that voids the payment.
 */
export async function undoReferralCredit(tx: Tx, orderIds: readonly number[], now: Date): Promise<ReferralUndone[]> {
  const undone: ReferralUndone[] = [];
  for (const referral of await lockCredited(tx, orderIds)) {
    const { referrer_id: referrerId, friend_id: friendId } = referral;
    const isTaken = await takeCreditBack(tx, referral);
    undone.push({ referrerId, isKept: !isTaken });
    if (!isTaken) continue;
    const booking = await bookPurchase(
      tx,
      { kind: "referral", paymentId: null, note: `friend ${friendId}: the order is unpaid again`, now },
      referralEntries(referrerId, cents(-REFERRAL_CREDIT)),
    );
    if ((await deleteUnsent(tx, creditMail(friendId))).count > 0) continue;
    // It is mailed again when it is given again.
    await deleteSent(tx, creditMail(friendId));
    await enqueueMail(tx, {
      key: `referral-credit-undone:${booking}`,
      template: "referral-credit-undone",
      customerId: referrerId,
      data: { amountCents: REFERRAL_CREDIT },
      now,
    });
  }
  return undone;
}
