import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export type RunOptions = {
  cwd?: string;
  env?: Record<string, string>;
  /** Whether its output goes to the terminal; otherwise it is collected. */
  show?: boolean;
};

/** The environment of this process with the repository's programs (Node 24 among them) first in PATH. */
export function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const own = [dirname(process.execPath), join(root, "node_modules/.bin")].join(delimiter);
  return { ...process.env, ...extra, PATH: `${own}${delimiter}${process.env["PATH"] ?? ""}` };
}

/** Starts a program and does not wait for it. */
export function startProgram(
  command: string,
  args: string[],
  { cwd = root, env = {}, show = true }: RunOptions = {},
): ChildProcess {
  const output = show ? "inherit" : "pipe";
  return spawn(command, args, { cwd, env: environment(env), stdio: ["ignore", output, output] });
}

/** Runs a program and waits for its end. `output` is empty when it was shown. A program that cannot be started has code 127. */
export async function runProgram(
  command: string,
  args: string[],
  options: RunOptions = {},
): Promise<{ code: number; output: string }> {
  const child = startProgram(command, args, { show: false, ...options });
  const parts: Buffer[] = [];
  child.stdout?.on("data", (part: Buffer) => parts.push(part));
  child.stderr?.on("data", (part: Buffer) => parts.push(part));
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(parts).toString("utf8") }));
  });
}
