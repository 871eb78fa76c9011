import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { withProcessLock } from "../../prisma/src/lock.ts";
import { root, runProgram } from "./run.ts";

/** The web app could not be built; the message contains the output of the builder. */
export class BuildError extends Error {}

const web = join(root, "apps/web");
const stamp = join(web, "dist/.build-hash");

/** Sources of the built app. */
const inputs = [
  "apps/web/index.html",
  "apps/web/embed.html",
  "apps/web/vite.config.ts",
  "apps/web/tsconfig.json",
  "apps/web/package.json",
  "apps/web/build",
  "apps/web/public",
  "apps/web/src",
  "packages/client/src",
  "packages/contracts/src",
  "packages/domain/src",
  "packages/ui/package.json",
  "packages/ui/src",
  "pnpm-lock.yaml",
  "tsconfig.base.json",
];

function files(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => files(join(path, name)))
    .filter((file) => !/\.test\.tsx?$/.test(file));
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap((path) => files(join(root, path)))) {
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

/** Whether `apps/web/dist` was built from the current sources. True without sources, as in the container image. */
export function isWebBuilt(): boolean {
  if (!existsSync(join(web, "src"))) return true;
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint();
}

/**
 * Builds the web app when its sources changed since the last build.
 * @returns whether it was built
 * @throws BuildError
 */
export async function buildWeb(log: (line: string) => void = () => undefined): Promise<boolean> {
  if (isWebBuilt()) return false;
  return withProcessLock(join(web, ".build-lock"), async () => {
    const current = fingerprint();
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === current) return false;
    log("Building the web app …");
    const vite = join(web, "node_modules/vite/bin/vite.js");
    const { code, output } = await runProgram(process.execPath, [vite, "build"], {
      cwd: web,
      env: { NODE_ENV: "production" },
    });
    if (code !== 0) throw new BuildError(`The web app could not be built.\n${output.trim()}`);
    writeFileSync(stamp, current);
    return true;
  });
}
