import { root, runProgram } from "./run.ts";

/** A test that `pnpm test` runs at a small size, or in part, and `pnpm soak` at full size. */
export interface FullSize {
  /** Test files, from the root of the repository. */
  tests: string[];
  /** What they guard: files, or folders with everything in them. */
  paths: string[];
}

/** `pnpm test` runs these at full size when something they guard, or they themselves, changed since `SOAKED`. */
export const FULL_SIZES: readonly FullSize[] = [];

/** The commit at which `pnpm soak` was last green. */
const SOAKED = "c2a3daf7";

const isIn = (file: string, path: string) => file === path || file.startsWith(`${path}/`);

/** The test files whose full size these changed files call for. */
export const testsToRunFully = (changed: readonly string[], sizes: readonly FullSize[] = FULL_SIZES): string[] => [
  ...new Set(
    sizes
      .filter(({ tests, paths }) => changed.some((file) => [...tests, ...paths].some((path) => isIn(file, path))))
      .flatMap(({ tests }) => tests),
  ),
];

/** The test files to run at full size: all that could be, in a clone without the history since `SOAKED`. */
export async function chooseFullSize(): Promise<string[]> {
  const { code, output } = await runProgram("git", ["diff", "--name-only", "--no-renames", SOAKED], { cwd: root });
  return code === 0 ? testsToRunFully(output.split("\n")) : FULL_SIZES.flatMap(({ tests }) => tests);
}
