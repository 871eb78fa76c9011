/** The size of a test: the small number in `pnpm test`, the large one in `pnpm soak`. */
export function size(small: number, large: number): number {
  return process.env["SOAK"] === "1" ? large : small;
}
