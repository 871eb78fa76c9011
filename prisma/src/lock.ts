import { readFileSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A process that has ended still has an id until its parent waits for it. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return status.slice(status.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}

/** Whether a process with this id runs on this machine, ours or not. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

/** A lock folder whose holder died before it could write its id is released after this long. */
const nameless = 10_000;

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const holder = Number(await readFile(join(path, "pid"), "utf8"));
    if (holder > 0) return !isAlive(holder);
  } catch {
    // No id in it yet: its age decides below.
  }
  const made = await stat(path).catch(() => undefined);
  return made !== undefined && performance.timeOrigin + performance.now() - made.mtimeMs > nameless;
}

/**
 * Runs `work` while holding a lock between processes of this machine: a folder at `path` that only one process can create.
 * The lock of a dead process is taken over. Throws when it is not free within `timeoutMs`.
 */
export async function withProcessLock<T>(path: string, work: () => Promise<T>, timeoutMs = 120_000): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      await mkdir(path);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (await isAbandoned(path)) await rm(path, { recursive: true, force: true });
    else if (performance.now() > deadline) throw new Error(`${path} has been locked by another process for too long.`);
    else await delay(20);
  }
  try {
    await writeFile(join(path, "pid"), String(process.pid));
    return await work();
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
