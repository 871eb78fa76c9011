/** Whether a market brings orders to a door, in words (docs/product.md §3 "Market of a session"). */

/** A market as far as these sentences need it. */
interface Market {
  name: string;
  /** English weekday. */
  deliveryDay: string;
}

const pickupOffer = ([first, ...more]: readonly { name: string; city: string }[]): string => {
  if (!first) return "It has no pickup points, so enter another address to order here.";
  if (more.length === 0) return `You can pick up your order at ${first.name}, ${first.city}.`;
  return `You can pick up your order at one of its ${more.length + 1} pickup points.`;
};

/**
 * One sentence where the market delivers to the ZIP; else that it does not, what is offered instead, and a market that does.
 * @param points the market's pickup points
 * @param other the nearest other market that delivers there; null: none
 */
export function formatHomeDelivery(
  zipCode: string,
  market: Market & { delivers: boolean },
  points: readonly { name: string; city: string }[],
  other: Market | null,
): string {
  if (market.delivers) return `${market.name} delivers to ${zipCode} on ${market.deliveryDay}s.`;
  return [
    `${market.name} does not deliver to ${zipCode}.`,
    pickupOffer(points),
    ...(other ? [`${other.name} delivers there, on ${other.deliveryDay}s.`] : []),
  ].join(" ");
}

/** What a cart holds of another market. */
export interface OtherMarketWords {
  /** The market that the items were chosen in. */
  name: string;
  /** The shopper's market now. */
  ownName: string;
  /** Whether that is an account's market; else a guest's. */
  isAccount: boolean;
  /** How many lines are from there, and how many others the cart has. */
  lines: number;
  otherLines: number;
  /** Whether the shopper's market sells some of them, so that it is not known where they are wanted. */
  isUndecided: boolean;
}

/** Title and text that name both markets of a cart. */
export function formatOtherMarket(words: OtherMarketWords): { title: string; body: string } {
  const { name, ownName, isAccount, lines, otherLines, isUndecided } = words;
  const one = lines === 1;
  const title =
    otherLines === 0
      ? `Your cart is from ${name}.`
      : `${lines} ${one ? "item" : "items"} in your cart ${one ? "is" : "are"} from ${name}.`;
  const own = isAccount ? `Your account shops at ${ownName}.` : `You are at ${ownName} now.`;
  const rest = isUndecided
    ? "Choose where you want to order."
    : `${ownName} does not sell ${one ? "it. It stays" : "them. They stay"} here for ${name}.`;
  return { title, body: `${own} ${rest}` };
}
