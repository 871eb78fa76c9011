import { query, sql, type SqlTx } from "@marketday/db";
import { referralEntries } from "@marketday/domain/ledger";
import { REFERRAL_CREDIT } from "@marketday/domain/limits";
import { z } from "zod";

import { bookPurchase } from "../ledger/booking-store.ts";
import { enqueueMail } from "../mail/store.ts";

const CreditedRow = z.object({ friend_id: z.number(), referrer_id: z.number() });

/** Orders by id, or all orders of a delivery day. */
type Orders = { orderIds: readonly number[] } | { deliveryId: number };

/**
 * Credits the referrers of friends whose first order is closed and paid: captured, paid at the door, or covered by store
 * credit (docs/product.md §17, failures.md K5). Idempotent: each referral is credited once. Must be called in the transaction
 * that records the payment.
 */
export async function creditReferrers(tx: SqlTx, orders: Orders, now: Date): Promise<void> {
  const isSelected =
    "deliveryId" in orders
      ? sql`o.delivery_id = ${orders.deliveryId}::int`
      : sql`o.id = any(${[...orders.orderIds]}::int[])`;
  const credited = await query(
    tx,
    sql`with due as (
          update referral r set credited_at = ${now} from orders o
          where o.id = r.order_id and ${isSelected} and o.status in ('pending', 'closed') and r.credited_at is null and r.refused is null
            and (o.order_total_cents <= o.credit_cents
              or exists (select 1 from payment p where p.id = o.payment_id and p.state = 'captured'))
          returning r.friend_id, r.referrer_id),
        credited as (
          update customer c set credit_cents = c.credit_cents + n.times * ${REFERRAL_CREDIT}::int
          from (select referrer_id, count(*)::int as times from due group by referrer_id) n where c.id = n.referrer_id)
        select friend_id, referrer_id from due`,
    CreditedRow,
  );
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
