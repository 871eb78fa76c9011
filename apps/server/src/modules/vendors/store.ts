import type { Client } from "@marketday/db";

/** A vendor by id, slug or the hash of a printed link. */
export type WhichVendor = { id: number } | { slug: string } | { hash: string };

/** The ids of the products of a vendor that the hub lists, newest first; null for an unknown vendor. */
export async function findListed(db: Client, hubId: number | null, which: WhichVendor): Promise<number[] | null> {
  // No hub has the id 0.
  const inHub = { offers: { some: { hub_id: hubId ?? 0, is_published: true } } };
  const vendor = await db.vendor.findFirst({
    where: { ...which, is_published: true },
    select: {
      products: {
        where: { is_published: true, variants: { some: inHub } },
        select: { id: true },
        orderBy: [{ created_at: "desc" }, { id: "desc" }],
      },
    },
  });
  return vendor && vendor.products.map(({ id }) => id);
}
