/** Lines, merging and banners of a cart (spec §2.4 Cart, docs/product.md §6). A line is (variant, bundle or none). */

import { BANNERS_CUT_FROM, BANNERS_SHOWN, CART_QUANTITY_MAX } from "./limits.ts";
import { addCents, cents, minCents, timesCents, type Cents } from "./money.ts";
import { withQuantity } from "./stock.ts";

/** What makes a line of a cart. */
export type CartLine = { variantId: number; bundleId: number | null; quantity: number };

/** A line's identity as text, for maps and keys. */
export function lineKey({ variantId, bundleId }: { variantId: number; bundleId: number | null }): string {
  return `${variantId}:${bundleId ?? ""}`;
}

/** The same line twice is one line with the sum (failures A2); everything else is the first one's. Order is kept. */
export function mergeLines<L extends CartLine>(lines: readonly L[]): L[] {
  const merged = new Map<string, L>();
  for (const line of lines) {
    const before = merged.get(lineKey(line));
    merged.set(lineKey(line), before === undefined ? line : { ...before, quantity: before.quantity + line.quantity });
  }
  return [...merged.values()];
}

/**
 * A guest's cart merged into the account's at login (docs/product.md §3): the larger quantity of a line wins, capped by what
 * `inventory` returns for the variant over all its lines, the account's first. A sold-out or here unsold variant keeps its
 * quantity: its line is watched, or waits for its hub. `capped` are the variants that got fewer units.
 */
export function mergeCarts<L extends CartLine>(
  guest: readonly L[],
  account: readonly L[],
  inventory: ReadonlyMap<number, number>,
): { lines: L[]; capped: number[] } {
  const guestLines = mergeLines(guest);
  const accountLines = mergeLines(account);
  const guestOf = new Map(guestLines.map((line) => [lineKey(line), line]));
  const known = new Set(accountLines.map(lineKey));
  const union = [
    ...accountLines.map((line) =>
      withQuantity(line, Math.max(line.quantity, guestOf.get(lineKey(line))?.quantity ?? 0)),
    ),
    ...guestLines.filter((line) => !known.has(lineKey(line))),
  ];
  const left = new Map(inventory);
  const capped = new Set<number>();
  const lines = union.map((line) => {
    const stock = inventory.get(line.variantId) ?? 0;
    const room = stock <= 0 ? CART_QUANTITY_MAX : (left.get(line.variantId) ?? 0);
    const quantity = Math.min(line.quantity, room, CART_QUANTITY_MAX);
    if (stock > 0) left.set(line.variantId, room - quantity);
    if (quantity < line.quantity) capped.add(line.variantId);
    return withQuantity(line, quantity);
  });
  return { lines: lines.filter(({ quantity }) => quantity > 0), capped: [...capped] };
}

const BANNER_RANK: ReadonlyMap<string, number> = new Map([
  ["warning", 0],
  ["information", 1],
]);

/** Banners with warnings first, then information, then others; otherwise in the order given. */
export function orderBanners<B extends { type: string }>(banners: readonly B[]): B[] {
  const rank = ({ type }: B) => BANNER_RANK.get(type) ?? 2;
  return banners.toSorted((a, b) => rank(a) - rank(b));
}

/** The banners that show: all up to three; of four or more the first three (spec §2.4 Cart). */
export function shownBanners<B extends { type: string }>(banners: readonly B[]): B[] {
  const ordered = orderBanners(banners);
  return ordered.length >= BANNERS_CUT_FROM ? ordered.slice(0, BANNERS_SHOWN) : ordered;
}

/** A cart item of the wire, as far as splitting needs it. */
export type SplittableItem = { watching: boolean; product: { variant: { preOrderDate: string | null } } };

/** Active items, watched ones and pre-orders (spec §2.4 Cart); a watched pre-order is watched. */
export function splitItems<I extends SplittableItem>(
  items: readonly I[],
): { active: I[]; watching: I[]; preorders: I[] } {
  const bought = items.filter(({ watching }) => !watching);
  return {
    active: bought.filter(({ product }) => product.variant.preOrderDate === null),
    watching: items.filter(({ watching }) => watching),
    preorders: bought.filter(({ product }) => product.variant.preOrderDate !== null),
  };
}

/** A line as far as its price counts. */
export type PricedLine = { quantity: number; unitCents: Cents; watching: boolean; isPublished: boolean };

/** Whether a line is bought: neither watched nor unpublished here (docs/product.md §3 Hub switch). */
function counts({ watching, isPublished }: { watching: boolean; isPublished: boolean }): boolean {
  return !watching && isPublished;
}

/** The cart's subtotal before and after its discounts; never below zero. */
export function subtotals(
  lines: readonly PricedLine[],
  discounts: readonly { amountCents: Cents }[],
): { subtotalBeforeDiscountsCents: Cents; discountCents: Cents; subtotalCents: Cents } {
  const before = addCents(...lines.filter(counts).map(({ unitCents, quantity }) => timesCents(unitCents, quantity)));
  const discount = minCents(addCents(...discounts.map(({ amountCents }) => amountCents)), before);
  return { subtotalBeforeDiscountsCents: before, discountCents: discount, subtotalCents: cents(before - discount) };
}

/** A word before a size that makes it another one, and the size's first letter: "Half Gallon" does not say "Gallon", "1 Gallon" does. */
const FACTOR = /(^|[ ,])(half|quarter|third|two|three|four|five|six|(?!1(\.0+)? [^\d½¼¾⅓⅔])[\d./½¼¾⅓⅔]+) .$/;

/** The part of a variant's title that its product's title does not have: "Dozen" of "Pasture Eggs", nothing of "Pasture Eggs, Dozen". */
export function formatVariant(product: string, variant: string): string {
  const [title, size] = [` ${product}`.toLowerCase(), ` ${variant}`.toLowerCase()];
  return title.endsWith(size) && !FACTOR.test(title.slice(0, title.length - size.length + 2)) ? "" : variant;
}

/** A line as one thing to name, in lists, mails and to a reader of the screen: "Heirloom Tomatoes, Pint". */
export const lineName = (product: string, variant: string): string =>
  [product, formatVariant(product, variant)].filter(Boolean).join(", ");
