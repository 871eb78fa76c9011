/** How many colours the stalls have; each is a token (`data-stall` 0 to 7). */
export const STALL_HUES = 8;

/** A stall's hue, 0 to 7: the same everywhere for the same vendor, in the app and in the demo market's pictures. */
export function vendorColor(vendorId: number): number {
  // Spreads ids over the hues instead of walking through them.
  return ((vendorId * 2654435761) >>> 13) % STALL_HUES;
}

/** "Rooted Acre Farm" → "RA"; signs and figures are passed over, one word gives its first two letters. */
export function initials(name: string): string {
  const words = name.split(/[\s&]+/).filter((word) => /^\p{L}/u.test(word));
  return (words.length > 1 ? `${words[0]?.[0]}${words[1]?.[0]}` : name.slice(0, 2)).toUpperCase();
}
