/** Whether the tests run at full size: `pnpm soak`, on a machine that does nothing else. */
export const isSoak = process.env["SOAK"] === "1";

/** The size of a test: the small number in `pnpm test`, the large one in `pnpm soak`. */
export const size = (small: number, large: number): number => (isSoak ? large : small);
