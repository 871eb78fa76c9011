import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import { Day } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import type { Env } from "../../env.ts";
import { noSuchSheet } from "./sheet-job.ts";
import type { SheetJob } from "./sheets/job.ts";

/** Folders that are kept, and for how long: they have names and addresses. */
const KEPT = 24;
const KEPT_MS = 1 * Day.ms;

const rootOf = ({ dataDir }: Pick<Env, "dataDir">): string => join(dataDir, "sheet-cache");

/**
 * Folders of sheets in `DATA_DIR/sheet-cache`, made when a file of one is requested. A folder's name is the hash of all that is drawn, so
 * that it never has another version's bytes, nor a name that was deleted since. It is made in a thread, because shoppers would wait
 * for seconds of drawing, one folder at a time; the same one is never made twice at once.
 */
export class SheetFolders {
  readonly #root: string;
  readonly #failpoint: Deps["failpoint"];
  readonly #making = new Map<string, Promise<void>>();
  /** Folders of an earlier start may be drawn by an older release. By the clock that their times are of. */
  #startedAt: Promise<number> | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor({ env, failpoint }: Pick<Deps, "env" | "failpoint">) {
    this.#root = rootOf(env);
    this.#failpoint = failpoint;
  }

  /**
   * Opens a file of a job's folder, which is made first when it is missing. The caller closes the file.
   * @throws AppError 404 for a file that the job does not make
   */
  async open(job: SheetJob, name: string): Promise<{ file: FileHandle; size: number }> {
    for (let tries = 0; ; tries += 1) {
      const path = join(await this.prepare(job), name);
      try {
        const file = await open(path);
        return { file, size: (await file.stat()).size };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        // Another process may have removed the folder as an old one.
        if (tries === 2) throw noSuchSheet();
      }
    }
  }

  /** Makes a job's folder unless it is there. Returns its path, at which nothing is when the job has no files. */
  async prepare(job: SheetJob): Promise<string> {
    const key = createHash("sha256").update(JSON.stringify(job)).digest("hex").slice(0, 32);
    const folder = join(this.#root, key);
    const made = await stat(folder).catch(() => null);
    if (made && made.mtimeMs >= (await (this.#startedAt ??= findStart(this.#root)))) return folder;
    const making =
      this.#making.get(key) ?? this.#enqueue(() => this.#make(job, folder)).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    await making;
    return folder;
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #make(job: SheetJob, directory: string): Promise<void> {
    await this.#failpoint("sheets:making");
    await new Promise<void>((resolve, reject) => {
      const thread = new Worker(new URL("sheets/job-thread.ts", import.meta.url), { workerData: { job, directory } });
      thread.once("error", reject);
      thread.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`The thread ended with ${code}.`))));
    });
    // By the clock that the folders' times are of. A job without files leaves no folder, and another process may be replacing it.
    const made = await stat(directory).catch(() => null);
    if (made) await sweep(this.#root, made.mtimeMs);
  }
}

/**
 * When this process started, ms since 1970: by the clock of the file system, which may be another machine's, or where nothing can be
 * written (a full disk), by its own.
 */
async function findStart(root: string): Promise<number> {
  try {
    const marker = await mkdtemp(join(root, "start."));
    const { mtimeMs } = await stat(marker);
    await rmdir(marker);
    return mtimeMs - performance.now();
  } catch {
    return performance.timeOrigin;
  }
}

/** Removes folders that are a day old or too many, also those that a killed process left half made. `nowMs`: since 1970. */
async function sweep(root: string, nowMs: number): Promise<void> {
  const names = await readdir(root).catch(() => []);
  const folders = await Promise.all(
    names.map(async (name) => {
      const path = join(root, name);
      return { path, isHalf: name.includes("."), at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 };
    }),
  );
  const kept = new Set(
    folders
      .filter(({ isHalf }) => !isHalf)
      .toSorted((a, b) => b.at - a.at)
      .slice(0, KEPT),
  );
  for (const folder of folders)
    if (nowMs - folder.at > KEPT_MS || (!folder.isHalf && !kept.has(folder)))
      await rm(folder.path, { recursive: true, force: true });
}

/** Removes the folders of sheets that are a day old. */
export const sweepSheetFolders = ({ env }: Pick<Deps, "env">, now: Date): Promise<void> =>
  sweep(rootOf(env), now.getTime());
