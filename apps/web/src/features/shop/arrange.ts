import type { FeedCard } from "@marketday/contracts/feed";
import type { Product } from "@marketday/contracts/products";
import { pickProducts } from "@marketday/domain/shop";

type FeedType = FeedCard["type"];

/** The short line each of the nine types opens with. */
export const verbLine: Record<FeedType, string> = {
  "vendor-post": "From the stall",
  "staff-trending": "Trending",
  "staff-insane-weekly-deal": "Deal of the week",
  "new-item": "New this week",
  "new-vendor": "New stall",
  "returning-item": "Back in season",
  "on-sale": "On sale",
  "staff-pick": "Staff pick",
  "staff-flash-sale": "Flash sale",
};

/** What staff put a ribbon on (spec §1): a deal's is louder than a pick's. */
export const staffRibbon: Partial<Record<FeedType, "squash" | "tomato">> = {
  "staff-trending": "squash",
  "staff-pick": "squash",
  "staff-flash-sale": "tomato",
  "staff-insane-weekly-deal": "tomato",
};

/** The words of a staff card's ribbon: the product's own where it is for the same thing. */
export const ribbonText = ({ type, product }: Pick<FeedCard, "type" | "product">): string =>
  (product?.ribbonType === type && product.ribbonText) || verbLine[type];

/** The products of staff cards that have no ribbon of their own, with the card's; the newest card's counts. */
const ribboned = (feed: FeedCard[]): Map<number, Product> => {
  const found = new Map<number, Product>();
  for (const { type, product } of feed)
    if (product && !product.ribbonText && staffRibbon[type] && !found.has(product.id))
      found.set(product.id, { ...product, ribbonType: type, ribbonText: verbLine[type] });
  return found;
};

interface Rail {
  id: string;
  title: string;
  products: Product[];
}

export interface Arrangement {
  /** "Picked for this week". */
  picks: Product[];
  rails: Rail[];
  /** Everything that tells more than a tile could, newest first. */
  cards: FeedCard[];
}

/** Fewer would not fill a rail. */
const RAIL_MIN = 4;

const railTypes: { id: string; title: string; types: FeedType[] }[] = [
  { id: "deals", title: "Deals of the week", types: ["staff-flash-sale", "staff-insane-weekly-deal", "on-sale"] },
  { id: "new", title: "New this week", types: ["new-item"] },
  { id: "back", title: "Back in season", types: ["returning-item"] },
];

/**
 * Lays the feed out: picks and trending things first in the grid, filled up with what else there is; rails of deals,
 * news and returns; then as cards all posts and vendors, and products with a text or without another place.
 */
export function arrangeFeed(feed: FeedCard[]): Arrangement {
  const withRibbon = ribboned(feed);
  const productsOf = (types: FeedType[]) => [
    ...new Map(
      feed.flatMap(({ type, product }) =>
        product && types.includes(type) ? [[product.id, withRibbon.get(product.id) ?? product] as const] : [],
      ),
    ).values(),
  ];
  const picks = pickProducts<Product>(feed).map((product) => withRibbon.get(product.id) ?? product);
  const inGrid = new Set(picks.map(({ id }) => id));

  const rails = railTypes
    .map(({ id, title, types }) => ({
      id,
      title,
      products: productsOf(types).filter((product) => !inGrid.has(product.id)),
    }))
    .filter(({ products }) => products.length >= RAIL_MIN);
  const shown = new Set([...inGrid, ...rails.flatMap(({ products }) => products.map(({ id }) => id))]);

  const cards = feed.filter(
    (card) => card.text !== "" || card.textImage !== null || !card.product || !shown.has(card.product.id),
  );
  return { picks, rails, cards };
}
