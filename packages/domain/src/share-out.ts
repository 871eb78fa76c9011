/**
 * Shares out what came of an item that came short (docs/product.md §14 `short`): every box gets one before any box gets a
 * second one, the oldest box first. Sharing out again after some boxes were lowered to their share gives the same shares.
 * @param came units that came, at least 0
 * @param ordered units ordered by box, the oldest box first
 * @returns units each box gets, at most what it ordered; their sum is `came`, or all that was ordered if that is less
 */
export function shareOut(came: number, ordered: readonly number[]): number[] {
  const shares = ordered.map(() => 0);
  let left = came;
  for (let round = 1; left > 0; round += 1) {
    const waiting = ordered.flatMap((units, place) => (units >= round ? [place] : []));
    if (waiting.length === 0) break;
    for (const place of waiting.slice(0, left)) shares[place] = round;
    left -= Math.min(left, waiting.length);
  }
  return shares;
}
