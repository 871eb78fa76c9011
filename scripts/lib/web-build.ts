import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { withProcessLock } from "../../prisma/src/lock.ts";
import { root, runProgram } from "./run.ts";

/** A browser app could not be built; the message contains the output of the builder. */
export class BuildError extends Error {}

/** Sources of every browser app. */
const shared = [
  "apps/web/build",
  "apps/web/package.json",
  "apps/web/tsconfig.json",
  "packages/client/src",
  "packages/contracts/src",
  "packages/domain/src",
  "packages/ui/package.json",
  "packages/ui/src",
  "pnpm-lock.yaml",
  "tsconfig.base.json",
];

/** The browser apps by their folder in `apps`: how the output names them, and their sources besides `shared`. */
const apps = {
  web: {
    title: "the web app",
    own: ["apps/web/index.html", "apps/web/embed.html", "apps/web/vite.config.ts", "apps/web/public", "apps/web/src"],
  },
  admin: {
    title: "the admin app",
    own: [
      "apps/admin/index.html",
      "apps/admin/vite.config.ts",
      "apps/admin/tsconfig.json",
      "apps/admin/package.json",
      "apps/admin/build",
      "apps/admin/public",
      "apps/admin/src",
    ],
  },
};
type BrowserApp = keyof typeof apps;

const folderOf = (app: BrowserApp): string => join(root, "apps", app);
const stampOf = (app: BrowserApp): string => join(folderOf(app), "dist/.build-hash");

function files(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => files(join(path, name)))
    .filter((file) => !/\.test\.tsx?$/.test(file));
}

function fingerprint(app: BrowserApp): string {
  const hash = createHash("sha256");
  for (const file of [...apps[app].own, ...shared].flatMap((path) => files(join(root, path)))) {
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

/** Whether the app's `dist` was built from the current sources. True without sources, as in the container image. */
export function isBuilt(app: BrowserApp): boolean {
  if (!existsSync(join(folderOf(app), "src"))) return true;
  const stamp = stampOf(app);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(app);
}

async function buildApp(app: BrowserApp, log: (line: string) => void): Promise<boolean> {
  if (isBuilt(app)) return false;
  const cwd = folderOf(app);
  return withProcessLock(join(cwd, ".build-lock"), async () => {
    if (isBuilt(app)) return false;
    const current = fingerprint(app);
    const { title } = apps[app];
    log(`Building ${title} …`);
    const vite = join(cwd, "node_modules/vite/bin/vite.js");
    const { code, output } = await runProgram(process.execPath, [vite, "build"], {
      cwd,
      env: { NODE_ENV: "production" },
    });
    if (code !== 0) throw new BuildError(`${title.replace("t", "T")} could not be built.\n${output.trim()}`);
    writeFileSync(stampOf(app), current);
    return true;
  });
}

/**
 * Builds the web app and the admin app, each when its sources changed since its last build; one after the other, because each needs
 * 400 MB.
 * @returns whether one was built
 * @throws BuildError
 */
export async function buildWeb(log: (line: string) => void = () => undefined): Promise<boolean> {
  const web = await buildApp("web", log);
  return (await buildApp("admin", log)) || web;
}
