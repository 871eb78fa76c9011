import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { isAlive } from "../../prisma/src/lock.ts";
import { runProgram } from "./run.ts";

const prefix = "marketday-run-";
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
/** ms that processes have to end after SIGTERM. */
const GRACE_MS = 20_000;

const GIB = 2 ** 30;
/** Bytes of memory that must be free: a run has up to 400 MB of files, and its programs must not lack what these take. */
const NEEDS = { files: 2 * GIB, programs: 6 * GIB };

/**
 * Where the folder of a run is made: `TMPDIR`, or in memory where there is room and programs may run, or `/tmp`. On ext4 the files
 * that tests make and remove take an eighth of the CPU time.
 */
export async function chooseParent(memory = "/dev/shm", needs = NEEDS): Promise<string> {
  if (process.env["TMPDIR"] !== undefined || process.platform !== "linux") return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < needs.files || process.availableMemory() < needs.programs) return tmpdir();
    const trial = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
    try {
      const program = join(trial, "program");
      writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
      return (await runProgram(program, [])).code === 0 ? memory : tmpdir();
    } finally {
      remove(trial);
    }
  } catch {
    // It does not exist, is full, or is another user's.
    return tmpdir();
  }
}

/** The variable that names a run's folder to what it starts. */
export const RUN_VARIABLE = "TEST_RUN";

/** The processes that the run with this folder started. */
async function findProcesses(folder: string): Promise<{ pid: number; name: string }[]> {
  const variable = `${RUN_VARIABLE}=${folder}`;
  if (process.platform !== "linux") {
    const { output } = await runProgram("ps", ["axeww", "-o", "pid=,command="], { env: { [RUN_VARIABLE]: "" } });
    return output
      .split("\n")
      .filter((line) => line.includes(`${variable} `) || line.endsWith(variable))
      .map((line) => ({ pid: Number.parseInt(line, 10), name: line.trim().split(" ")[1] ?? "" }));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(variable)) return [];
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        // Without a command it has ended, and its parent does not know yet.
        return command === "" ? [] : [{ pid: Number(name), name: command.slice(0, 120) }];
      } catch {
        // It ended meanwhile, or is another user's.
        return [];
      }
    });
}

/** Ends the processes of the run with this folder, first gently. */
async function endProcesses(folder: string): Promise<void> {
  const send = (pid: number, signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended meanwhile.
    }
  };
  const terminated = new Set<number>();
  const deadline = performance.now() + GRACE_MS;
  for (;;) {
    const running = await findProcesses(folder);
    if (running.length === 0) return;
    if (performance.now() > deadline + GRACE_MS)
      throw new Error(
        `These processes of the tests do not end: ${running.map(({ pid, name }) => `${pid} ${name}`).join(", ")}`,
      );
    for (const { pid } of running)
      if (performance.now() > deadline) send(pid, "SIGKILL");
      else if (!terminated.has(pid)) send(pid, "SIGTERM");
    for (const { pid } of running) terminated.add(pid);
    await delay(200);
  }
}

/** The temporary folder of a run of the tests, and what the run started. */
export interface RunFolder {
  path: string;
  /** Folders and processes that tests left, one line each. */
  findLeft(): Promise<string[]>;
  /** Ends all processes and removes the folder. */
  close(): Promise<void>;
}

/** Makes the folder of this run, and removes those of runs that were killed, with their processes. */
export async function openRunFolder(parent: string): Promise<RunFolder> {
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      await endProcesses(join(parent, name));
      remove(join(parent, name));
    } catch (error) {
      console.warn(
        `${join(parent, name)} of an earlier run stays: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const path = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  // Started by root, Postgres runs as another user, who must reach the folder.
  chmodSync(path, 0o755);
  return {
    path,
    async findLeft() {
      const processes = await findProcesses(path);
      const folders = readdirSync(path).filter((name) => name.startsWith("marketday-"));
      return [
        ...processes.map(({ pid, name }) => `process ${pid}: ${name}`),
        ...folders.map((name) => `folder ${name}`),
      ];
    },
    async close() {
      await endProcesses(path);
      remove(path);
    },
  };
}
