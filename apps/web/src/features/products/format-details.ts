import type { Product, Variant } from "@marketday/contracts/products";
import { calendarDate, formatLong, isCalendarDate } from "@marketday/domain/calendar-date";

import { marketToday } from "../../lib/today.ts";

/** "Arrives Thursday, August 3": a pre-order's first day. */
export const formatPreOrder = (variant: Variant): string | null =>
  variant.preOrderDate && isCalendarDate(variant.preOrderDate)
    ? `Arrives ${formatLong(calendarDate(variant.preOrderDate), marketToday())}`
    : null;

/** "You ordered this twice", or nothing. */
export function formatHistory(product: Product): string | null {
  const times = (count: number) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);
  if (product.previousOrderCount > 0) return `You ordered this ${times(product.previousOrderCount)}`;
  return product.previousVendorOrderCount > 0
    ? `You ordered from ${product.vendor.name} ${times(product.previousVendorOrderCount)}`
    : null;
}

/** "Boone County, Indiana": where it grew; and who packed it. */
export function formatOrigin({ originCounty, originState, originCountry }: Product): string | null {
  const county = originCounty && !/county$/i.test(originCounty) ? `${originCounty} County` : originCounty;
  const parts = [county, originState, originState ? null : originCountry].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : null;
}
