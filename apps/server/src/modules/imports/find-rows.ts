import { query, queryOne, raw, sql } from "@marketday/db";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { type Name, nearestFinder } from "../../lib/nearest.ts";
import type { Context } from "../identity/context.ts";
import type { TextRow } from "./export-file.ts";
import { products } from "./kinds/products.ts";

/** The message for an unknown slug, with a suggestion. */
function missing(noun: "product" | "vendor", slug: string, names: readonly Name[]): AppError {
  const meant = nearestFinder(names)(slug);
  const help = meant === null ? `\`market ${noun}s export\` lists the ${noun}s.` : `Did you mean ${meant}?`;
  return new AppError(404, `There is no ${noun} "${slug}". ${help}`, { code: `no_such_${noun}` });
}

/**
 * A product as its rows in an exported file, one for each variant in each hub; its own fields are only on the first row.
 * @throws AppError 404 `no_such_product`, with a suggestion
 */
export async function findProductRows(ctx: Pick<Context, "deps">, slug: string): Promise<TextRow[]> {
  const { db } = ctx.deps;
  const rows = await query<TextRow>(db, sql`select * from (${raw(products.exported)}) e where e.slug = ${slug}`);
  if (rows.length > 0) return rows;
  throw missing("product", slug, await query<Name>(db, sql`select slug as key, title as name from product`));
}

const StockRow = z.object({
  variantId: z.number(),
  slug: z.string(),
  product: z.string(),
  variant: z.string(),
  unit: z.string().nullable(),
  hub: z.string(),
  priceCents: z.number(),
  inventory: z.number(),
  weeklyInventory: z.number().nullable(),
  published: z.boolean(),
});
/** A variant in a hub: `inventory` is what can still be sold, `weeklyInventory` what a new week refills it to. */
export type StockRow = z.infer<typeof StockRow>;

/**
 * A vendor's offers, by product and hub.
 * @throws AppError 404 `no_such_vendor`, with a suggestion
 */
export async function findStock(
  ctx: Pick<Context, "deps">,
  vendor: string,
): Promise<{ vendor: string; rows: StockRow[] }> {
  const { db } = ctx.deps;
  const found = await queryOne<{ name: string }>(db, sql`select name from vendor where slug = ${vendor}`);
  if (!found) throw missing("vendor", vendor, await query<Name>(db, sql`select slug as key, name from vendor`));
  const rows = await query(
    db,
    sql`select x.id as "variantId", p.slug, p.title as product, x.title as variant, x.unit, h.slug as hub, o.price_cents as "priceCents",
          o.inventory, o.weekly_inventory as "weeklyInventory", p.is_published and o.is_published as published
        from offer o join hub h on h.id = o.hub_id join variant x on x.id = o.variant_id join product p on p.id = x.product_id join vendor v on v.id = p.vendor_id
        where v.slug = ${vendor} order by p.title, p.id, x.position, x.id, h.id`,
    StockRow,
  );
  return { vendor: found.name, rows };
}
