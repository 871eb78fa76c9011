import type { Product, Variant } from "@marketday/contracts/products";
import { calendarDate, formatDay, isCalendarDate } from "@marketday/domain/calendar-date";
import { lineName } from "@marketday/domain/cart";

import { marketToday } from "../../lib/today.ts";

/** At or below this number the stock is shown. */
const FEW = 5;

export const isSoldOut = (variant: Variant): boolean => variant.inventory <= 0;

/** "Last 3", or nothing when there is enough. */
export const formatStock = (variant: Variant): string | null => {
  if (isSoldOut(variant)) return "Sold out";
  return variant.inventory <= FEW ? `Last ${variant.inventory}` : null;
};

/** The line under a tile's price: what one is, what else there is, how many are left. */
export function unitLine(product: Product): string {
  const [variant, ...others] = product.variants;
  if (!variant) return "";
  const parts = [
    variant.unit ?? variant.title,
    others.length > 0 && `${others.length} more ${others.length === 1 ? "size" : "sizes"}`,
    variant.preOrderDate &&
      isCalendarDate(variant.preOrderDate) &&
      `From ${formatDay(calendarDate(variant.preOrderDate), marketToday())}`,
    !isSoldOut(variant) && formatStock(variant),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** A variant as one thing to name: "Heirloom Tomatoes, Pint". */
export const fullName = (product: Product, variant: Variant): string =>
  product.variants.length > 1 ? lineName(product.title, variant.title) : product.title;

export type RibbonTone = "squash" | "tomato" | "ink" | "beet";

/** The one ribbon a picture carries: sold out before pre-order before what staff say. */
export function ribbonOf(product: Product): { tone: RibbonTone; text: string } | null {
  const [variant] = product.variants;
  if (variant && product.variants.every(isSoldOut)) return { tone: "ink", text: "Sold out" };
  if (product.isPreOrder) return { tone: "beet", text: "Pre-order" };
  if (!product.ribbonText) return null;
  const deal = product.ribbonType === "staff-flash-sale" || product.ribbonType === "staff-insane-weekly-deal";
  return { tone: deal ? "tomato" : "squash", text: product.ribbonText };
}
