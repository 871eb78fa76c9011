import type Sharp from "sharp";

let loaded: Promise<typeof Sharp> | undefined;

/** sharp, loaded with the first picture that is read: a server that starts has none to render yet. */
export const loadSharp = (): Promise<typeof Sharp> =>
  (loaded ??= import("sharp").then(({ default: sharp }) => {
    // One thread a picture: with two at once, half of the shared thread pool stays free for files and password hashes.
    sharp.concurrency(1);
    // What is needed again is kept as a base by modules/pictures.
    sharp.cache(false);
    return sharp;
  }));
