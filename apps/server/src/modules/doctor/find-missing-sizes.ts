import { type Conn, query, sql } from "@marketday/db";
import { hasSize } from "@marketday/domain/size";
import { z } from "zod";

import { amountOf, sizeColumns, SizeColumns } from "../products/size-store.ts";

const Row = z.object({
  slug: z.string(),
  product_title: z.string(),
  variant_title: z.string(),
  ...SizeColumns.shape,
  vendor: z.string(),
});
type Row = z.infer<typeof Row>;

/** Variants on sale for which the market does not name how much one is (docs/product.md §5), by vendor and slug. */
export async function findMissingSizes(db: Conn): Promise<Row[]> {
  const rows = await query(
    db,
    sql`select p.slug, p.title as product_title, v.title as variant_title, ${sizeColumns}, ve.name as vendor
        from variant v join product p on p.id = v.product_id and p.is_published join vendor ve on ve.id = p.vendor_id and ve.is_published
        where exists (select 1 from offer o join hub h on h.id = o.hub_id and h.is_published where o.variant_id = v.id and o.is_published)
        order by ve.name, p.slug, v.position, v.id`,
    Row,
  );
  return rows.filter((row) => !hasSize(row.product_title, row.variant_title, amountOf(row)));
}
