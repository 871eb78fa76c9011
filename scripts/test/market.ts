import { createDb, type Db } from "@marketday/db";
import { atEnd, createTestDatabase, createTestFolder } from "@marketday/db/testing";
import { audit } from "@marketday/server/modules/doctor/violation-sql";
import { expect } from "vitest";

import { buildCommandLine } from "../lib/cli/command-line.ts";
import { runCommandLine } from "../lib/cli/run.ts";

/** The exit code and output of a command. */
interface CommandResult {
  code: number;
  out: string;
  err: string;
}

export interface OperatedMarket {
  db: Db;
  url: string;
  /** A folder for files, and DATA_DIR. */
  dir: string;
  /** Runs `./market …` in this process, as operator ada. */
  run(...args: string[]): Promise<CommandResult>;
  /** Runs a command with additional settings in its environment. */
  runWith(settings: Record<string, string>, ...args: string[]): Promise<CommandResult>;
  /** Runs a command with `--json`, expects exit code 0, and returns the parsed output. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  /** The findings of `market doctor`. */
  audit(): ReturnType<typeof audit>;
}

/** Commands run one at a time, because they share the process's environment and standard output. */
let previous: Promise<unknown> = Promise.resolve();

async function runInProcess(settings: Record<string, string>, args: readonly string[]): Promise<CommandResult> {
  const output = { out: "", err: "" };
  const before = {
    env: process.env,
    log: console.log,
    error: console.error,
    write: process.stdout.write,
    writeErr: process.stderr.write,
    code: process.exitCode,
    exitListeners: process.listeners("exit"),
  };
  process.env = { ...before.env, NODE_ENV: "test", MARKET_OPERATOR: "ada", RATE_LIMITS: "off", ...settings };
  const capture =
    (to: "out" | "err") =>
    (text: unknown, ...more: unknown[]): true => {
      output[to] += typeof text === "string" ? text : Buffer.from(text as Uint8Array).toString();
      for (const each of more) if (typeof each === "function") (each as () => void)();
      return true;
    };
  console.log = (line: unknown = "") => void (output.out += `${String(line)}\n`);
  console.error = (line: unknown = "") => void (output.err += `${String(line)}\n`);
  process.stdout.write = capture("out");
  process.stderr.write = capture("err");
  process.exitCode = undefined;
  try {
    const code = await runCommandLine(await buildCommandLine(args), args);
    return { code, ...output };
  } finally {
    process.env = before.env;
    console.log = before.log;
    console.error = before.error;
    process.stdout.write = before.write;
    process.stderr.write = before.writeErr;
    process.exitCode = before.code;
    // The command's logger writes its last lines when the process exits.
    for (const listener of process.listeners("exit"))
      if (!before.exitListeners.includes(listener)) process.removeListener("exit", listener);
  }
}

/** Creates a separate market (database and data folder) for a test of commands, until the end of the test or file. */
export async function operatedMarket({ empty = false }: { empty?: boolean } = {}): Promise<OperatedMarket> {
  const base = await createTestDatabase({ empty });
  const db = createDb({ url: base.url });
  atEnd(() => db.close());
  const dir = createTestFolder("operated");
  const runWith = (settings: Record<string, string>, ...args: string[]): Promise<CommandResult> => {
    const result = previous.then(() => runInProcess({ DATABASE_URL: base.url, DATA_DIR: dir, ...settings }, args));
    previous = result.catch(() => undefined);
    return result;
  };
  const run = (...args: string[]): Promise<CommandResult> => runWith({}, ...args);
  return {
    db,
    url: base.url,
    dir,
    run,
    runWith,
    async json<T>(...args: string[]): Promise<T> {
      const { code, out, err } = await run(...args, "--json");
      expect({ command: args.join(" "), code, err }).toEqual({ command: args.join(" "), code: 0, err: "" });
      return JSON.parse(out) as T;
    },
    audit: () => audit(db, new Date()),
  };
}
