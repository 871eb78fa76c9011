import type { Product, Variant, VendorRef } from "@marketday/contracts/products";
import { cents, formatUsd, toDollars } from "@marketday/domain/money";
import { formatSize } from "@marketday/domain/size";

import { serializePicture, serializePictureOrNull } from "../pictures/picture-row.ts";
import type { ProductRow, VariantRow, VendorRefRow } from "./product-sql.ts";
import { amountOf } from "./size-sql.ts";

export const serializeVendorRef = (row: VendorRefRow): VendorRef => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  city: row.city,
  state: row.state,
  avatar: serializePictureOrNull(row.avatar),
});

/** The current price of one `measure`, "$0.54 / oz"; null without a measure, and below a cent. */
export function unitPrice(
  row: Pick<VariantRow, "price_cents" | "sale_price_cents" | "measure" | "measure_amount">,
): string | null {
  if (!row.measure || !row.measure_amount || row.measure_amount <= 0) return null;
  const each = Math.round((row.sale_price_cents ?? row.price_cents) / row.measure_amount);
  return each > 0 ? `${formatUsd(cents(each))} / ${row.measure}` : null;
}

const serializeVariant = (product: string, row: VariantRow): Variant => ({
  id: row.id,
  title: row.title,
  inventory: row.inventory,
  price: toDollars(cents(row.price_cents)),
  salePrice: row.sale_price_cents === null ? null : toDollars(cents(row.sale_price_cents)),
  isSubscribed: false,
  preOrderDate: row.pre_order_date,
  size: formatSize(product, row.title, amountOf(row)),
  unitPrice: unitPrice(row),
});

/** A product as a guest sees it; `personalize` adds a customer's data. */
export const serializeProduct = (row: ProductRow): Product => ({
  id: row.id,
  slug: row.slug,
  created: row.created_at.toISOString(),
  previousOrderCount: 0,
  previousVendorOrderCount: 0,
  isFavorite: false,
  tags: row.tags,
  ratingCount: row.rating_count,
  // Half stars to stars, two decimals.
  avgRating: row.rating_count === 0 ? 0 : Math.round((row.rating_halves / row.rating_count) * 50) / 100,
  ribbonText: row.ribbon_text,
  ribbonType: row.ribbon_type,
  discountNotes: row.discount_notes,
  title: row.title.trim() || "Title Missing",
  images: row.pictures.map(serializePicture),
  description: row.description,
  newDescription: row.new_description,
  variants: row.variants.map((variant) => serializeVariant(row.title, variant)),
  vendor: serializeVendorRef(row.vendor),
  availableMarkets: row.markets,
  badge: row.badge,
  isPreOrder: row.variants.some((variant) => variant.pre_order_date !== null),
  originCountry: row.origin_country,
  originState: row.origin_state,
  originCounty: row.origin_county,
  processor: row.processor,
});
