import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** ms between two looks at whether the callers still run. */
const INTERVAL_MS = 1_000;

/** Whether `pnpm <script>` started this process: servers of production and containers are started without it. */
export const isUnderPnpm = (): boolean => Boolean(process.env["npm_lifecycle_event"]);

interface Caller {
  parent: number;
  command: string;
}

/** A running process; null where it or the program `ps` is missing. */
async function findProcess(id: number): Promise<Caller | null> {
  const { stdout } = await run("ps", ["-o", "ppid=,args=", "-p", String(id)]).catch(() => ({ stdout: "" }));
  const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
  return parent === undefined || command === undefined ? null : { parent: Number(parent), command };
}

/** Processes above pnpm among which npx is looked for: npx, its shell, and a script that starts Node. */
const MAX_DEPTH = 4;

/**
 * The npx that runs this pnpm, and the shell between them: they do not pass SIGTERM on to pnpm, which runs on without them.
 * Empty for a pnpm that was called in any other way: a shell may end without it (`nohup`).
 */
async function findNpx(pnpm: number): Promise<number[]> {
  const callers: number[] = [];
  for (let next = (await findProcess(pnpm))?.parent; next && callers.length < MAX_DEPTH;) {
    callers.push(next);
    const found = await findProcess(next);
    if (/^(?:npm exec|npx) .*pnpm/.test(found?.command ?? "")) return callers;
    next = found?.parent;
  }
  return [];
}

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
};

/** Calls `onGone` once when pnpm, or the npx that runs it, has ended without passing its signal on. */
export function whenCallerIsGone(onGone: () => void): void {
  const pnpm = process.ppid;
  if (pnpm <= 1) return;
  let callers: number[] = [];
  void findNpx(pnpm).then((found) => (callers = found));
  const timer = setInterval(() => {
    if (process.ppid === pnpm && callers.every(isRunning)) return;
    clearInterval(timer);
    onGone();
  }, INTERVAL_MS).unref();
}
