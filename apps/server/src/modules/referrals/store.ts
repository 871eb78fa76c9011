import type { Client, Prisma } from "@marketday/db";

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
