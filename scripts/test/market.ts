import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createDb, type Db } from "@marketday/db";
import { createTestDatabase } from "@marketday/db/testing";
import { audit } from "@marketday/server/modules/audit/audit";
import { afterAll, expect } from "vitest";

import { buildCommandLine } from "../lib/cli/command-line.ts";
import { runCommandLine } from "../lib/cli/run.ts";

/** How a command ended and what it said. */
export interface Said {
  code: number;
  out: string;
  err: string;
}

export interface OperatedMarket {
  db: Db;
  url: string;
  /** A folder for files, and DATA_DIR. */
  dir: string;
  /** Runs `./market …` in this process, as an operator called ada would. */
  run(...args: string[]): Promise<Said>;
  /** The same with other settings in its environment. */
  runWith(settings: Record<string, string>, ...args: string[]): Promise<Said>;
  /** The same, which must end well; answers what `--json` printed. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  /** What `market doctor` finds. */
  audit(): ReturnType<typeof audit>;
}

/** One command at a time: they share the process's environment and its standard output. */
let turn: Promise<unknown> = Promise.resolve();

process.setMaxListeners(0);

async function runHere(settings: Record<string, string>, args: readonly string[]): Promise<Said> {
  const said = { out: "", err: "" };
  const before = {
    env: process.env,
    log: console.log,
    error: console.error,
    write: process.stdout.write,
    writeErr: process.stderr.write,
    code: process.exitCode,
  };
  process.env = { ...before.env, NODE_ENV: "test", MARKET_OPERATOR: "ada", RATE_LIMITS: "off", ...settings };
  const keep =
    (to: "out" | "err") =>
    (text: unknown, ...more: unknown[]): true => {
      said[to] += typeof text === "string" ? text : Buffer.from(text as Uint8Array).toString();
      for (const each of more) if (typeof each === "function") (each as () => void)();
      return true;
    };
  console.log = (line: unknown = "") => void (said.out += `${String(line)}\n`);
  console.error = (line: unknown = "") => void (said.err += `${String(line)}\n`);
  process.stdout.write = keep("out");
  process.stderr.write = keep("err");
  process.exitCode = undefined;
  try {
    const code = await runCommandLine(await buildCommandLine(args), args);
    return { code, ...said };
  } finally {
    process.env = before.env;
    console.log = before.log;
    console.error = before.error;
    process.stdout.write = before.write;
    process.stderr.write = before.writeErr;
    process.exitCode = before.code;
  }
}

/** A market of a test's own, run by commands. */
export async function operatedMarket({ empty = false }: { empty?: boolean } = {}): Promise<OperatedMarket> {
  const base = await createTestDatabase({ empty });
  const db = createDb({ url: base.url });
  const dir = mkdtempSync(join(tmpdir(), "marketday-operated-"));
  afterAll(async () => {
    await db.close();
    await base.drop();
  });
  const runWith = (settings: Record<string, string>, ...args: string[]): Promise<Said> => {
    const said = turn.then(() => runHere({ DATABASE_URL: base.url, DATA_DIR: dir, ...settings }, args));
    turn = said.catch(() => undefined);
    return said;
  };
  const run = (...args: string[]): Promise<Said> => runWith({}, ...args);
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
