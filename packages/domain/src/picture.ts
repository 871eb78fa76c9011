/** Widths every picture is stored in, px. */
const PICTURE_WIDTHS = [160, 320, 480, 960] as const;

/**
 * Width a picture is shown at, as in the `sizes` attribute. The server's first view and the app must choose the same
 * file, or the largest picture of the page is loaded twice.
 */
export const pictureSizes = {
  tile: "(min-width: 1440px) 218px, (min-width: 1024px) 210px, (min-width: 600px) 30vw, 44vw",
  product: "(min-width: 1440px) 520px, (min-width: 768px) 460px, 100vw",
  hero: "(min-width: 1440px) 860px, (min-width: 1024px) 720px, (min-width: 768px) 640px, 100vw",
} as const;

/** The `srcset` of a picture in one format. */
export const pictureSet = (url: string, format: "avif" | "webp" | "jpg"): string =>
  PICTURE_WIDTHS.map((width) => `${url}/${width}.${format} ${width}w`).join(", ");

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
