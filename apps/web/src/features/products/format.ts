import type { Product, Variant } from "@marketday/contracts/products";
import { calendarDate, formatDay, isCalendarDate } from "@marketday/domain/calendar-date";

import { marketToday } from "../../lib/today.ts";

/** At or below this number the stock is shown. */
const FEW = 5;

export const isSoldOut = (variant: Variant): boolean => variant.inventory <= 0;

/** "Last 3", or nothing when there is enough. */
export const formatStock = (variant: Variant): string | null => {
  if (isSoldOut(variant)) return "Sold out";
  return variant.inventory <= FEW ? `Last ${variant.inventory}` : null;
};

/** Parts of a line with middle dots between them. A number stays on the line of its word: "24 oz", "$0.33 / oz", "1 more". */
export const joinParts = (...parts: (string | null | false)[]): string =>
  parts
    .flatMap((part) => part || [])
    .map((part) => part.replaceAll(/([\d/]?) (?=[\d/])|([\d/]) /g, "$1$2\u00A0"))
    .join(" · ");

/** The line under a tile's price: how much one buys, "24 oz · $0.33 / oz", what else there is, how many are left. */
export function unitLine(product: Product): string {
  const [variant, ...others] = product.variants;
  if (!variant) return "";
  return joinParts(
    variant.size,
    variant.unitPrice,
    others.length > 0 && `${others.length} more\u00A0${others.length === 1 ? "size" : "sizes"}`,
    variant.preOrderDate &&
      isCalendarDate(variant.preOrderDate) &&
      `From ${formatDay(calendarDate(variant.preOrderDate), marketToday())}`,
    !isSoldOut(variant) && formatStock(variant),
  );
}

/** A line as one thing to name: "Heirloom Tomatoes, Pint". */
export const nameOf = (title: string, { size }: { size: string }): string => [title, size].filter(Boolean).join(", ");

/** An offered variant as one thing to name; a single one goes by its product. */
export const fullName = (product: Product, variant: Variant): string =>
  product.variants.length > 1 ? nameOf(product.title, variant) : product.title;

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
