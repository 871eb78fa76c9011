import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

import { withProcessLock } from "./lock.ts";
import { packageDir } from "./migration-files.ts";
import { readSchema } from "./schema-engine.ts";

const require = createRequire(import.meta.url);
const stampName = ".schema-hash";

async function fingerprint(): Promise<string> {
  // The client's version is the generator's (catalog), and production installs only the client.
  const { version } = require("@prisma/client/package.json") as { version: string };
  const hash = createHash("sha256").update(`${version}\n`);
  for (const [path, text] of await readSchema()) hash.update(`${path}\n${text}\n`);
  return hash.digest("hex");
}

/** Runs Prisma's own generator on a copy of the schema in `dir`; its output is `dir/generated`. */
async function runGenerator(dir: string): Promise<void> {
  await cp(join(packageDir, "schema.prisma"), join(dir, "schema.prisma"));
  await cp(join(packageDir, "models"), join(dir, "models"), { recursive: true });
  const cli = require.resolve("prisma/build/index.js");
  try {
    await promisify(execFile)(process.execPath, [cli, "generate", "--schema", dir], {
      cwd: packageDir,
      // Prisma looks for its schema engine on the network unless it is pointed at a file; generating never runs it.
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: "1",
        CHECKPOINT_DISABLE: "1",
        NO_COLOR: "1",
      },
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`Prisma's client could not be generated.\n${stdout}${stderr}`.trim(), { cause: error });
  }
}

/**
 * Writes Prisma's client to `prisma/generated`, offline, and only when the schema or Prisma's version changed.
 * The new client is written to another folder and moved into place, so that no process reads half of one.
 * @returns whether it had to be written
 */
export async function generate(): Promise<boolean> {
  const wanted = await fingerprint();
  const target = join(packageDir, "generated");
  const isCurrent = async () => (await readFile(join(target, stampName), "utf8").catch(() => "")) === wanted;
  if (await isCurrent()) return false;
  return withProcessLock(join(packageDir, ".generate-lock"), async () => {
    if (await isCurrent()) return false;
    const work = await mkdtemp(join(packageDir, ".generate-"));
    try {
      await runGenerator(work);
      await writeFile(join(work, "generated", stampName), wanted);
      await rename(target, join(work, "previous")).catch(() => undefined);
      await rename(join(work, "generated"), target);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    return true;
  });
}

if (import.meta.main) {
  try {
    console.log((await generate()) ? "Prisma's client was generated." : "Prisma's client is up to date.");
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
