import type { Client, Prisma, Tx } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";
import { shownPicture } from "../pictures/picture-row.ts";

const shownBundle = {
  id: true,
  slug: true,
  title: true,
  description: true,
  image: { select: shownPicture },
  /** Discount on each line, in parts per million. */
  discount_ppm: true,
  items: {
    select: {
      variant_id: true,
      quantity: true,
      variant: { select: { product_id: true, product: { select: { ingredients: true } } } },
    },
    orderBy: [{ position: "asc" }, { variant_id: "asc" }],
  },
} satisfies Prisma.bundleSelect;
export type BundleRow = Prisma.bundleGetPayload<{ select: typeof shownBundle }>;

/** How a path names a bundle. */
export type WhichBundle = { id: number } | { slug: string };

const offeredIn = (hubId: number): Prisma.bundleWhereInput => ({ hubs: { some: { hub_id: hubId } } });

const findWhere = (db: Client, where: Prisma.bundleWhereInput): Promise<BundleRow[]> =>
  db.bundle.findMany({
    where: { ...where, is_published: true },
    select: shownBundle,
    orderBy: [{ title: "asc" }, { id: "asc" }],
  });

/** The published bundles of a hub, by title. */
export const findBundles = (db: Client, hubId: number): Promise<BundleRow[]> => findWhere(db, offeredIn(hubId));

/** One published bundle, of the hub when there is one; null when there is none. */
export const findBundle = (db: Client, hubId: number | null, which: WhichBundle): Promise<BundleRow | null> =>
  db.bundle.findFirst({
    where: { ...which, ...(hubId !== null && offeredIn(hubId)), is_published: true },
    select: shownBundle,
  });

/** One published bundle, whatever hub it is of; null when there is none. */
export const findAnyBundle = (db: Client, which: WhichBundle): Promise<BundleRow | null> => findBundle(db, null, which);

/** The published bundles a customer subscribes to, whatever hub they are of. */
export const findSubscribed = (db: Client, customerId: CustomerId): Promise<BundleRow[]> =>
  findWhere(db, { subscriptions: { some: { customer_id: customerId } } });

/** Which bundles a customer subscribes to, and every how many weeks. */
export async function findIntervals(db: Client, customerId: CustomerId): Promise<Map<number, number>> {
  const rows = await db.bundle_subscription.findMany({
    where: { customer_id: customerId },
    select: { bundle_id: true, interval_weeks: true },
  });
  return new Map(rows.map((row) => [row.bundle_id, row.interval_weeks]));
}

/** Subscribes a customer to a published bundle of the hub, or changes the interval. Its id; null when there is none. */
export async function upsertSubscription(
  tx: Tx,
  customerId: CustomerId,
  hubId: number,
  which: WhichBundle,
  intervalWeeks: number,
  now: Date,
): Promise<number | null> {
  const bundle = await tx.bundle.findFirst({
    where: { ...which, ...offeredIn(hubId), is_published: true },
    select: { id: true },
  });
  if (!bundle) return null;
  const key = { customer_id: customerId, bundle_id: bundle.id };
  await tx.bundle_subscription.upsert({
    where: { customer_id_bundle_id: key },
    create: { ...key, interval_weeks: intervalWeeks, created_at: now },
    update: { interval_weeks: intervalWeeks },
    select: { bundle_id: true },
  });
  return bundle.id;
}

/** Ends a subscription; nothing happens where there is none. */
export const deleteSubscription = (tx: Tx, customerId: CustomerId, bundleId: number) =>
  tx.bundle_subscription.deleteMany({ where: { customer_id: customerId, bundle_id: bundleId } });
