import type { Db } from "@marketday/db";
import { hasSize } from "@marketday/domain/size";

import { amountOf, type TitledLine } from "../products/size-sql.ts";

interface UnsizedVariant extends TitledLine {
  slug: string;
  vendor: string;
}

/** Variants on sale for which the market does not name how much one is (docs/product.md §5), by vendor and slug. */
export async function findMissingSizes(db: Db): Promise<UnsizedVariant[]> {
  const variants = await db.variant.findMany({
    where: {
      product: { is_published: true, vendor: { is_published: true } },
      offers: { some: { is_published: true, hub: { is_published: true } } },
    },
    select: {
      title: true,
      unit: true,
      measure: true,
      measure_amount: true,
      product: { select: { slug: true, title: true, vendor: { select: { name: true } } } },
    },
    orderBy: [
      { product: { vendor: { name: "asc" } } },
      { product: { slug: "asc" } },
      { position: "asc" },
      { id: "asc" },
    ],
  });
  return variants
    .map(({ title, product, ...size }) => ({
      ...size,
      slug: product.slug,
      product_title: product.title,
      variant_title: title,
      vendor: product.vendor.name,
    }))
    .filter((row) => !hasSize(row.product_title, row.variant_title, amountOf(row)));
}
