import type { Client } from "@marketday/db";

/** Whether there is this product, of this vendor where one is named, or this vendor; both are slugs. */
export async function isKnownItem(db: Client, product: string | null, vendor: string | null): Promise<boolean> {
  const count =
    product === null
      ? await db.vendor.count({ where: { slug: vendor ?? "" } })
      : await db.product.count({ where: { slug: product, ...(vendor !== null && { vendor: { slug: vendor } }) } });
  return count > 0;
}
