import type { SqlTx } from "@marketday/db";
import { hasSize } from "@marketday/domain/size";

import { amountOf, type SizeColumns } from "../../products/size-sql.ts";
import { listed } from "./stock-count-sql.ts";

/** A sentence about rows on sale whose product, variant, unit and measure do not say how much one is (docs/product.md §5). */
export async function sizeNotes(tx: SqlTx): Promise<string[]> {
  const { rows } = await tx.client.query<
    SizeColumns & { line: number; slug: string; product: string; variant: string }
  >(
    `select min(s.line) as line, p.slug, p.title as product, x.title as variant, x.unit, x.measure, x.measure_amount
     from incoming s join product p on p.slug = s.slug and p.is_published join variant x on x.product_id = p.id and x.title = s.variant
     where exists (select 1 from offer o where o.variant_id = x.id and o.is_published)
     group by p.id, x.id order by 1`,
  );
  const missing = rows
    .filter((row) => !hasSize(row.product, row.variant, amountOf(row)))
    .map(({ line, slug, variant }) => `row ${line} (${slug}, ${variant})`);
  return missing.length === 0
    ? []
    : [
        `Without a size, so shoppers don't see how much they buy: ${listed(missing)}. Write it in variant or unit, such as 8 oz, or in measure and measure_amount; what is sold by the piece has each in unit.`,
      ];
}
