import type { Db, Prisma } from "@marketday/db";

import type { Page } from "../../lib/paging.ts";
import type { CustomerId } from "../identity/context.ts";

/** How a path names a product. */
export type WhichProduct = { id: number } | { slug: string };

/** Adds a published product to the favorites, or removes it. False when there is no such product. */
export async function setFavorite(
  db: Db,
  customerId: CustomerId,
  which: WhichProduct,
  favorite: boolean,
  now: Date,
): Promise<boolean> {
  const product = await db.product.findFirst({
    where: { ...which, is_published: true, vendor: { is_published: true } },
    select: { id: true },
  });
  if (!product) return false;
  const heart = { customer_id: customerId, product_id: product.id };
  if (favorite) await db.favorite_product.createMany({ data: [{ ...heart, created_at: now }], skipDuplicates: true });
  else await db.favorite_product.deleteMany({ where: heart });
  return true;
}

/** Vendors with a published product that the hub lists. */
const inHub = (hubId: number): Prisma.vendorWhereInput => ({
  products: {
    some: { is_published: true, variants: { some: { offers: { some: { hub_id: hubId, is_published: true } } } } },
  },
});

/** A page of the vendors a customer follows, the newest first: those with products in the hub, or (`all`) every one. */
export async function findFollowedPage(
  db: Db,
  customerId: CustomerId,
  hubId: number | null,
  scope: "hub" | "all",
  { offset, rows }: Page,
): Promise<{ total: number; ids: number[] }> {
  if (scope === "hub" && hubId === null) return { total: 0, ids: [] };
  const where = {
    customer_id: customerId,
    vendor: { is_published: true, ...(scope === "hub" && hubId !== null && inHub(hubId)) },
  };
  const follows = await db.follow.findMany({
    where,
    select: { vendor_id: true },
    orderBy: [{ created_at: "desc" }, { vendor_id: "desc" }],
    skip: offset,
    take: rows,
  });
  return { total: await db.follow.count({ where }), ids: follows.map(({ vendor_id }) => vendor_id) };
}
