import type { GridOffer } from "@marketday/contracts/admin/offers";
import type { OfferField } from "@marketday/domain/offer-fields";
import { can, type Grant } from "@marketday/domain/staff";

import { serializePictureOrNull } from "../pictures/picture-row.ts";
import type { GridRow } from "./offers-sql.ts";

const money = (cents: number | null): string => (cents === null ? "" : (cents / 100).toFixed(2));
const yesNo = (value: boolean): string => (value ? "yes" : "no");

/** The cells of a row, as a products file has them. */
export const cellsOf = (row: GridRow): Record<OfferField, string> => ({
  price: money(row.price_cents),
  sale_price: money(row.sale_price_cents),
  inventory: String(row.inventory),
  weekly_inventory: row.weekly_inventory === null ? "" : String(row.weekly_inventory),
  offered: yesNo(row.is_published),
  unit: row.unit ?? "",
  title: row.title,
  storage: row.storage,
  tags: row.tags.join("|"),
  published: yesNo(row.is_product_published),
});

/** Whether a person may change what is the same in all markets that sell the product. */
export const canChangeAll = (grants: readonly Grant[], { hub_ids: hubs }: Pick<GridRow, "hub_ids">): boolean =>
  hubs.every((hub) => can(grants, "catalogue.write", hub));

/** A row of the grid, for a person. */
export const toGridOffer = (row: GridRow, grants: readonly Grant[]): GridOffer => ({
  id: row.id,
  variantId: row.variant_id,
  hub: row.hub,
  vendor: row.vendor,
  product: row.product,
  picture: serializePictureOrNull(row.picture),
  variant: row.variant,
  cells: cellsOf(row),
  sold: row.sold,
  watching: row.watching,
  canChange: can(grants, "catalogue.write", row.hub.id),
  canChangeAll: canChangeAll(grants, row),
});
