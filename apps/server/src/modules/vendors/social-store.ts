import type { Client } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";
import type { WhichVendor } from "./store.ts";

/** Ids of the vendors a customer follows. */
export async function findFollowed(db: Client, customerId: CustomerId): Promise<number[]> {
  const rows = await db.follow.findMany({ where: { customer_id: customerId }, select: { vendor_id: true } });
  return rows.map((row) => row.vendor_id);
}

/** A vendor's followers and score (null without endorsements; their own counts for them also when it is hidden), and whether this customer follows it, as of now. */
export async function findSocial(
  db: Client,
  customerId: CustomerId,
  vendorId: number,
): Promise<{ is_followed: boolean; followers: number; score: number | null }> {
  const follows = await db.vendor.findUnique({
    where: { id: vendorId },
    select: {
      _count: { select: { follows: true } },
      follows: { where: { customer_id: customerId }, select: { vendor_id: true } },
    },
  });
  const endorsements = await db.endorsement.aggregate({
    where: { vendor_id: vendorId, OR: [{ hidden_at: null }, { customer_id: customerId }] },
    _avg: { score: true },
  });
  return {
    is_followed: (follows?.follows.length ?? 0) > 0,
    followers: follows?._count.follows ?? 0,
    score: endorsements._avg.score,
  };
}

/** Follows or unfollows a vendor; idempotent. Null for an unknown vendor. */
export async function setFollow(
  db: Client,
  customerId: CustomerId,
  which: WhichVendor,
  follow: boolean,
  now: Date,
): Promise<{ id: number; followers: number } | null> {
  const vendor = await db.vendor.findFirst({
    where: { ...which, is_published: true },
    // The others who follow it: this customer is added.
    select: { id: true, _count: { select: { follows: { where: { customer_id: { not: customerId } } } } } },
  });
  if (!vendor) return null;
  const key = { customer_id: customerId, vendor_id: vendor.id };
  if (follow) await db.follow.createMany({ data: { ...key, created_at: now }, skipDuplicates: true });
  else await db.follow.deleteMany({ where: key });
  return { id: vendor.id, followers: vendor._count.follows + (follow ? 1 : 0) };
}

export interface Endorsement {
  score: number;
  relationship: number;
  comment: string | null;
  hasVisited: boolean | null;
  visitRating: number | null;
  wouldVisitAgain: boolean | null;
}

/** Inserts or replaces the customer's endorsement of a vendor. */
export async function upsertEndorsement(
  db: Client,
  customerId: CustomerId,
  vendorId: number,
  { score, relationship, comment, hasVisited, visitRating, wouldVisitAgain }: Endorsement,
  now: Date,
): Promise<void> {
  const key = { customer_id: customerId, vendor_id: vendorId };
  const values = {
    score,
    relationship,
    comment,
    has_visited: hasVisited,
    visit_rating: visitRating,
    would_visit_again: wouldVisitAgain,
    created_at: now,
  };
  await db.endorsement.upsert({
    where: { customer_id_vendor_id: key },
    create: { ...key, ...values },
    update: values,
    select: { vendor_id: true },
  });
}
