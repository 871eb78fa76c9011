/** Items as people name them on a command line or in a search box: by variant number, or as paper and screens print them. */

import { lineName } from "./cart.ts";
import { foldName } from "./names.ts";
import { itemTitle } from "./sheets.ts";

/** An item that can be named. */
export interface NamedItem {
  variantId: number;
  product: string;
  variant: string;
  /** What one is, where it is known: paper prints it after the title. */
  unit?: string | null;
}

/** Commas and dots between the parts of a title may be left out. */
const spaced = (text: string): string => text.replaceAll(/[\s,·]+/g, " ").trim();
const plain = (text: string): string => foldName(spaced(text));

/**
 * The items that a text may mean, each variant once. A variant number, or the whole title as it is printed, means one item;
 * the product alone, or the beginning of a title, means all that fit. Capitals, spaces, accents and dashes do not matter. No item: the text names none of them.
 */
export function findItems<T extends NamedItem>(items: readonly T[], text: string): T[] {
  const unique = [...new Map(items.map((item) => [item.variantId, item])).values()];
  const wanted = plain(text);
  if (wanted === "") return [];
  const byNumber = unique.filter(({ variantId }) => String(variantId) === wanted);
  if (byNumber.length > 0) return byNumber;
  const namesOf = ({ product, variant, unit = null }: NamedItem) => [
    lineName(product, variant),
    itemTitle({ product, variant, unit }),
  ];
  const titlesOf = (item: NamedItem) => namesOf(item).map(plain);
  const byTitle = unique.filter(
    (item) =>
      titlesOf(item).includes(wanted) ||
      plain(`${item.product} ${item.variant}`) === wanted ||
      plain(`${item.product} ${item.variant} ${item.unit ?? ""}`) === wanted,
  );
  // "dozen" beside "Dozen" is the one that is written so.
  const exact = byTitle.filter((item) => namesOf(item).some((name) => spaced(name) === spaced(text)));
  if (exact.length === 1) return exact;
  if (byTitle.length > 0) return byTitle;
  const byProduct = unique.filter(({ product }) => plain(product) === wanted);
  if (byProduct.length > 0) return byProduct;
  return unique.filter((item) => titlesOf(item).some((title) => title.startsWith(wanted)));
}
