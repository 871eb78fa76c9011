/** How many products "Picked for this week" shows. */
const PICKS = 12;

interface PickCandidate {
  id: number;
  variants: readonly { inventory: number }[];
}

/**
 * "Picked for this week": staff picks and trending products first, then the rest of the feed; what is sold out comes
 * last, nothing twice.
 */
export function pickProducts<P extends PickCandidate>(feed: readonly { type: string; product: P | null }[]): P[] {
  const isPicked = (type: string) => type === "staff-pick" || type === "staff-trending";
  const all = [...feed.filter(({ type }) => isPicked(type)), ...feed]
    .flatMap(({ product }) => product ?? [])
    .filter(({ variants }) => variants.length > 0);
  const isBuyable = ({ variants }: P) => variants.some(({ inventory }) => inventory > 0);
  const ordered = [...all.filter(isBuyable), ...all.filter((product) => !isBuyable(product))];
  const seen = new Set<number>();
  return ordered.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, PICKS);
}
