/** A test that `pnpm test` runs at a small size, or not at all, and `pnpm soak` at full size. */
export interface FullSize {
  /** Test files, from the root of the repository. */
  tests: string[];
  /** What they guard: files, or folders with everything in them. */
  paths: string[];
}

/** `pnpm test` runs these at full size too when something they guard, or they themselves, changed. */
export const FULL_SIZES: readonly FullSize[] = [];
