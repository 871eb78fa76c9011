import type { Client, Prisma, Tx } from "@marketday/db";
import { REFERRAL_CREDIT } from "@marketday/domain/limits";

import type { CustomerId } from "../identity/context.ts";

const shownReferral = {
  credited_at: true,
  friend: {
    select: {
      first_name: true,
      last_name: true,
      // Whether there is one.
      orders: { where: { status: { not: "cancelled" } }, select: { id: true }, take: 1 },
    },
  },
} satisfies Prisma.referralSelect;

/** The friends this customer referred, newest first. Friends whose referral was refused are listed like the others. */
export const findFriends = (db: Client, customerId: CustomerId) =>
  db.referral.findMany({
    where: { referrer_id: customerId },
    select: shownReferral,
    orderBy: [{ created_at: "desc" }, { friend_id: "desc" }],
  });

/** The customer's store credit, cents. */
export const findCredit = async (db: Client, customerId: CustomerId): Promise<number> =>
  (await db.customer.findUnique({ where: { id: customerId }, select: { credit_cents: true } }))?.credit_cents ?? 0;

/** Takes a locked referral's credit from the referrer, who is credited again when the order is paid; false when it was spent. */
export async function takeCreditBack(
  tx: Tx,
  { referrer_id: referrerId, friend_id: friendId }: { referrer_id: number; friend_id: number },
): Promise<boolean> {
  const taken = await tx.customer.updateMany({
    where: { id: referrerId, credit_cents: { gte: REFERRAL_CREDIT } },
    data: { credit_cents: { decrement: REFERRAL_CREDIT } },
  });
  if (taken.count === 0) return false;
  await tx.referral.updateMany({ where: { friend_id: friendId }, data: { credited_at: null } });
  return true;
}
