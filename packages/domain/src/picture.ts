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
