/** `small`: `pnpm test`. `large`: `pnpm test` when what the test guards changed (scripts/lib/large-tests.ts). `soak`: `pnpm soak`. */
const SIZE = process.env["TEST_SIZE"] ?? "small";

/** Whether the tests run for as long as they take, on a machine that does nothing else. */
export const isSoak = SIZE === "soak";
/** Whether nothing is left out. */
export const isLarge = isSoak || SIZE === "large";

/** The size of a test. `large` is the small one, unless `pnpm test` leaves much out. */
export const size = (small: number, soak: number, large = small): number => (isSoak ? soak : isLarge ? large : small);
