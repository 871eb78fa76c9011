/** What the grid of products changes. The names are those of the columns of a products file. */
export const OFFER_FIELDS = [
  // Of the offer: a variant in one market.
  "price",
  "sale_price",
  "inventory",
  "weekly_inventory",
  "offered",
  // Of the variant, in every market.
  "unit",
  // Of the product, in every market.
  "title",
  "storage",
  "tags",
  "published",
] as const;
export type OfferField = (typeof OFFER_FIELDS)[number];
/** Offers of the grid at most; more are found by a narrower filter. */
export const OFFERS_MAX = 5_000;
/** Cells of one save at most. */
export const CELLS_MAX = 5_000;
/** Fields of one market; the others are the same in all markets that sell the product. */
const MARKET_FIELDS = [
  "price",
  "sale_price",
  "inventory",
  "weekly_inventory",
  "offered",
] as const satisfies readonly OfferField[];

/** Whether a field is of one market alone. */
export const isOfMarket = (field: OfferField): boolean => (MARKET_FIELDS as readonly string[]).includes(field);
