import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  scripts: { start: string };
};
const words = scripts.start.split(" ");

/** The Node options of `pnpm start`, which the image and the systemd unit have too. */
export const START_OPTIONS = words.filter((word) => word.startsWith("--"));
/** The environment variables of `pnpm start`. */
export const START_VARIABLES: Record<string, string> = Object.fromEntries(
  words.flatMap((word) => (/^[A-Z_]+=/.test(word) ? [word.split("=")] : [])),
);
