import type { Order } from "@marketday/contracts/orders";
import type { ReportedItem } from "@marketday/contracts/problems";
import { type CalendarDate, calendarDate, formatLong } from "@marketday/domain/calendar-date";
import type { PictureData } from "@marketday/ui/picture.tsx";

import { allItems } from "../orders/reorder.ts";
import { nameOf } from "../products/format.ts";

/** What one variant is in the whole box, however many of its lines have it. */
export interface ReportRow {
  variantId: number;
  /** "Heirloom Tomatoes, Pint" */
  name: string;
  title: string;
  /** "Pint · Hill Farm" */
  about: string;
  picture: PictureData | undefined;
  quantity: number;
}

/** The rows of a box that can be ticked in a report, in the order's own order. */
export function reportRows(order: Pick<Order, "items" | "addOns">): ReportRow[] {
  const rows = new Map<number, ReportRow>();
  for (const { quantity, product, vendor } of allItems(order)) {
    const { id, size } = product.variant;
    const before = rows.get(id);
    if (before) before.quantity += quantity;
    else
      rows.set(id, {
        variantId: id,
        name: nameOf(product.title, product.variant),
        title: product.title,
        about: [size, vendor.name].filter(Boolean).join(" · "),
        picture: product.images[0],
        quantity,
      });
  }
  return [...rows.values()];
}

/** How many of each row are ticked, of a draft: what the order has no more of is left out. */
export function tickedRows(rows: readonly ReportRow[], draft: readonly ReportedItem[]): Map<number, number> {
  const ticked = new Map<number, number>();
  for (const { variantId, quantity } of draft) {
    const row = rows.find((one) => one.variantId === variantId);
    if (row) ticked.set(variantId, Math.min(quantity, row.quantity));
  }
  return ticked;
}

/** "Order of Thursday, November 26 · #123456789" */
export const formatReported = ({ id, deliveryDate }: Pick<Order, "id" | "deliveryDate">, today: CalendarDate): string =>
  `Order of ${formatLong(calendarDate(deliveryDate), today)} · #${id}`;
