import { AppError } from "../../lib/app-error.ts";
import { type Name, nearestFinder } from "../../lib/nearest.ts";
import type { Context } from "../identity/context.ts";
import type { TextRow } from "./export-file.ts";
import { findExportedProduct } from "./product-rows-sql.ts";

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
  const rows = await findExportedProduct(db, slug);
  if (rows.length > 0) return rows;
  const all = await db.product.findMany({ select: { slug: true, title: true }, orderBy: { id: "asc" } });
  throw missing(
    "product",
    slug,
    all.map(({ slug: key, title: name }) => ({ key, name })),
  );
}

/** A variant in a hub: `inventory` is what can still be sold, `weeklyInventory` what a new week refills it to. */
export interface StockRow {
  variantId: number;
  slug: string;
  product: string;
  variant: string;
  unit: string | null;
  hub: string;
  priceCents: number;
  inventory: number;
  weeklyInventory: number | null;
  published: boolean;
}

/**
 * A vendor's offers, by product and hub.
 * @throws AppError 404 `no_such_vendor`, with a suggestion
 */
export async function findStock(
  ctx: Pick<Context, "deps">,
  vendor: string,
): Promise<{ vendor: string; rows: StockRow[] }> {
  const { db } = ctx.deps;
  const found = await db.vendor.findUnique({ where: { slug: vendor }, select: { name: true } });
  if (!found) {
    const all = await db.vendor.findMany({ select: { slug: true, name: true }, orderBy: { id: "asc" } });
    throw missing(
      "vendor",
      vendor,
      all.map(({ slug: key, name }) => ({ key, name })),
    );
  }
  const offers = await db.offer.findMany({
    where: { variant: { product: { vendor: { slug: vendor } } } },
    select: {
      price_cents: true,
      inventory: true,
      weekly_inventory: true,
      is_published: true,
      hub: { select: { slug: true } },
      variant: {
        select: {
          id: true,
          title: true,
          unit: true,
          product: { select: { slug: true, title: true, is_published: true } },
        },
      },
    },
    orderBy: [
      { variant: { product: { title: "asc" } } },
      { variant: { product_id: "asc" } },
      { variant: { position: "asc" } },
      { variant_id: "asc" },
      { hub_id: "asc" },
    ],
  });
  const rows = offers.map(({ variant, hub, ...offer }) => ({
    variantId: variant.id,
    slug: variant.product.slug,
    product: variant.product.title,
    variant: variant.title,
    unit: variant.unit,
    hub: hub.slug,
    priceCents: offer.price_cents,
    inventory: offer.inventory,
    weeklyInventory: offer.weekly_inventory,
    published: variant.product.is_published && offer.is_published,
  }));
  return { vendor: found.name, rows };
}
