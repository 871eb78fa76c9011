import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";

import { RUN_VARIABLE } from "../lib/run-folder.ts";
import { environment, root } from "../lib/run.ts";

/** One instruction of the Dockerfile: its name, such as `COPY`, and the rest of its line. */
interface Instruction {
  name: string;
  rest: string;
}

/** The Dockerfile's instructions by stage. The last stage (the image) has the name "". */
export function readStages(): Map<string, Instruction[]> {
  const text = readFileSync(join(root, "Dockerfile"), "utf8")
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\s*\\\n\s*/g, " ");
  const stages = new Map<string, Instruction[]>();
  let current: Instruction[] = [];
  for (const line of text.split("\n").filter(Boolean)) {
    const [, name = "", rest = ""] = /^\s*([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === "FROM") stages.set(/ AS (\S+)$/.exec(rest)?.[1] ?? "", (current = []));
    current.push({ name, rest });
  }
  return stages;
}

/** Converts a line of .dockerignore to a regular expression: `**` matches any folders, `*` anything except a slash. */
function pattern(line: string): RegExp {
  const body = line
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**/", "\u0000")
    .replaceAll("*", "[^/]*")
    .replaceAll("\u0000", "(?:.*/)?");
  return new RegExp(`^${body}(?:/.*)?$`);
}

/** The `paths` that `COPY . .` copies: the last matching line of .dockerignore decides. */
export function imageFiles(paths: readonly string[]): string[] {
  const rules = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ isExcluded: !line.startsWith("!"), matches: pattern(line.replace(/^!/, "")) }));
  return paths.filter((path) => !(rules.findLast(({ matches }) => matches.test(path))?.isExcluded ?? false));
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (!entry.isDirectory()) return [relative(root, path).replaceAll("\\", "/")];
    return /^(node_modules|dist|var|generated|\.git|\.generate.*|.*-lock)$/.test(entry.name) ? [] : filesBelow(path);
  });
}

/** The files of the repository, without dependencies and build output. */
export const sources = filesBelow(root);

/** The image's filesystem, built without a container engine. */
interface BuiltImage {
  /** Its root directory, which contains `app`. */
  dir: string;
  remove(): void;
}

/** Copies the files of a `COPY` line from the build context. */
function copyFromContext(from: string[], to: string, target: string): void {
  const files = imageFiles(sources).filter((file) => from.some((each) => file === each || file.startsWith(`${each}/`)));
  for (const file of files) {
    const base = from.find((each) => file === each || file.startsWith(`${each}/`)) ?? "";
    const path =
      file === base
        ? join(target, to, to.endsWith("/") ? file.split("/").at(-1)! : "")
        : join(target, to, relative(base, file));
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(join(root, file), path);
  }
}

/**
 * Builds the filesystem that the Dockerfile describes: stage `dependencies` by running its commands, the final stage from its
 * COPY lines. Not built: the base image (the programs of this machine are used) and the browser apps (the existing `dist` of
 * each, or a placeholder).
 */
export function buildImage(): BuiltImage {
  const dir = mkdtempSync(join(tmpdir(), "marketday-image-"));
  chmodSync(dir, 0o755);
  const stages = readStages();
  const manifests = join(dir, "stage");
  for (const { name, rest } of [...(stages.get("manifests") ?? []), ...(stages.get("dependencies") ?? [])]) {
    if (name === "COPY") {
      const args = rest.split(" ");
      copyFromContext(args.slice(0, -1), args.at(-1)!, manifests);
    } else if (name === "RUN" && !rest.startsWith("npm install --global")) {
      const command = rest.replace("pnpm install", "npx -y pnpm@10.34.8 install --prefer-offline");
      execFileSync("sh", ["-c", command], { cwd: manifests, env: environment({ CI: "true" }), stdio: "pipe" });
    }
  }
  for (const { name, rest } of stages.get("") ?? []) {
    if (name !== "COPY") continue;
    const args = rest.split(" ").filter((word) => !word.startsWith("--"));
    const [from, to] = [args.slice(0, -1), args.at(-1)!];
    if (rest.startsWith("--from=dependencies"))
      cpSync(manifests, join(dir, to), { recursive: true, verbatimSymlinks: true });
    else if (rest.startsWith("--from=build")) {
      const built = join(root, relative("/app", from[0]!));
      if (existsSync(built)) cpSync(built, join(dir, to), { recursive: true });
      else {
        mkdirSync(join(dir, to), { recursive: true });
        writeFileSync(join(dir, to, "index.html"), "<!doctype html><title>Marketday</title><body></body>");
      }
    } else copyFromContext(from, to, dir);
  }
  rmSync(manifests, { recursive: true, force: true });
  // Mount points for the programs of this machine and for writable folders.
  for (const name of ["usr", "etc", "proc", "dev", "tmp", "data", "market"])
    mkdirSync(join(dir, name), { recursive: true });
  for (const name of ["bin", "lib", "lib64"]) symlinkSync(`usr/${name}`, join(dir, name));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Whether this machine can run the image's filesystem: needs Linux, root, and a private mount namespace. */
export const canRunImage =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

/** User `node` of the base image. */
export const NODE_USER = 1000;

/** Where the library of `pnpm test --at` is in the image. */
const CLOCK_LIBRARY = "/usr/local/bin/clock-shift.so";

/** The container's clock is the one of the tests (`pnpm test --at`), and its processes end with the run. */
function inheritedSettings(): Record<string, string> {
  const { CLOCK_SHIFT_S: shift, [RUN_VARIABLE]: run } = process.env;
  return {
    ...(shift !== undefined && { LD_PRELOAD: CLOCK_LIBRARY, CLOCK_SHIFT_S: shift }),
    ...(run !== undefined && { [RUN_VARIABLE]: run }),
  };
}

/** Runs a program as `docker compose` does: user 1000 without capabilities, read-only root, writable /tmp, /data and /market. */
export class Container {
  readonly #image: BuiltImage;
  readonly #env: Record<string, string>;
  /** The folder that is mounted at /market. */
  readonly files: string;
  readonly #volumes: string;

  constructor(image: BuiltImage, env: Record<string, string>) {
    this.#image = image;
    this.#env = env;
    this.#volumes = mkdtempSync(join(tmpdir(), "marketday-volumes-"));
    chmodSync(this.#volumes, 0o755);
    this.files = join(this.#volumes, "market");
    for (const name of ["market", "data", "tmp"]) {
      mkdirSync(join(this.#volumes, name));
      chownSync(join(this.#volumes, name), NODE_USER, NODE_USER);
    }
    const { dir } = image;
    const programs = join(this.#volumes, "bin");
    cpSync(join(dir, "usr/local/bin"), programs, { recursive: true });
    copyFileSync(process.execPath, join(programs, "node"));
    const { LD_PRELOAD: library } = process.env;
    if (library) copyFileSync(library, join(programs, basename(CLOCK_LIBRARY)));
  }

  #command(args: readonly string[]): string[] {
    const [image, volumes] = [this.#image.dir, this.#volumes];
    const mounts = [
      `mount --bind ${image} ${image}`,
      ...["usr", "etc", "proc", "dev"].map((name) => `mount --rbind /${name} ${image}/${name}`),
      `mount --bind ${volumes}/bin ${image}/usr/local/bin`,
      ...["tmp", "data", "market"].map((name) => `mount --bind ${volumes}/${name} ${image}/${name}`),
      `mount -o remount,bind,ro ${image}`,
    ].join(" && ");
    const settings = {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOST: "127.0.0.1",
      DATA_DIR: "/data",
      MARKET_OPERATOR: "ada",
      ...inheritedSettings(),
      ...this.#env,
    };
    return [
      "--mount",
      "--propagation",
      "private",
      "sh",
      "-c",
      `${mounts} && unset LD_PRELOAD && exec chroot ${image} setpriv --reuid ${NODE_USER} --regid ${NODE_USER} --clear-groups --bounding-set=-all --no-new-privs /usr/bin/env -i --chdir=/market "$@"`,
      "sh",
      ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
      ...args,
    ];
  }

  /** Runs `docker compose exec server …` and waits until it exits. */
  run(...args: string[]): { code: number; out: string; err: string } {
    const { status, stdout, stderr } = spawnSync("unshare", this.#command(args), { encoding: "utf8" });
    return { code: status ?? 1, out: stdout, err: stderr };
  }

  /** Starts it in the background; SIGTERM reaches the program directly. */
  start(...args: string[]): ReturnType<typeof spawn> {
    return spawn("unshare", this.#command(args), { stdio: ["ignore", "pipe", "pipe"] });
  }

  remove(): void {
    rmSync(this.#volumes, { recursive: true, force: true });
  }
}
