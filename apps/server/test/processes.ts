import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { atEnd } from "@marketday/db/testing";

import { TEST_TIMEOUT_FACTOR } from "./clock.ts";
import type { Failpoint } from "./failpoint.ts";
import { START_OPTIONS, START_VARIABLES } from "./start-settings.ts";

/** A server in a separate process. */
export interface ServerProcess {
  pid: number;
  address: string;
  port: number;
  /** Resolves when the process has exited. */
  gone: Promise<unknown>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Continues a stopped process (failpoint `stop`). */
  wake(): void;
  /** Whether the whole process is stopped. */
  sleeps(): Promise<boolean>;
}

const run = promisify(execFile);

interface Options {
  databaseUrl: string;
  dataDir: string;
  failpoints?: Record<string, Extract<Failpoint, string>>;
  /** False: no jobs, so that no job passes a failpoint. */
  jobs?: boolean;
  env?: Record<string, string>;
  /** Multiplies every timeout; 30 by default, 1 for tests of the timeouts. */
  timeoutFactor?: number;
}

/** Starts a server process on an existing database and waits until it listens. Killed at the end of the test or file. */
export async function startProcess({
  databaseUrl,
  dataDir,
  failpoints = {},
  jobs = true,
  env = {},
  timeoutFactor = TEST_TIMEOUT_FACTOR,
}: Options): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL("serve.ts", import.meta.url)), [], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      FAILPOINTS: JSON.stringify(failpoints),
      TEST_JOBS: jobs ? "on" : "off",
      TIMEOUT_FACTOR: String(timeoutFactor),
      ...START_VARIABLES,
      ...env,
    },
    stdio: ["ignore", process.env["TEST_LOG"] ? "inherit" : "ignore", "inherit", "ipc"],
    execArgv: START_OPTIONS,
  });
  const gone = once(child, "exit");
  atEnd(() => {
    child.kill("SIGKILL");
    return gone;
  });
  const ready = await Promise.race([once(child, "message"), gone.then(() => null)]);
  if (!ready || !Array.isArray(ready)) throw new Error("the server process ended before it listened");
  const { address } = ready[0] as { address: string };
  return {
    pid: child.pid!,
    address,
    port: Number(new URL(address).port),
    gone,
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await gone;
    },
    wake: () => void child.kill("SIGCONT"),
    // The same state letter on Linux and macOS.
    sleeps: async () =>
      (await run("ps", ["-o", "state=", "-p", String(child.pid)])).stdout.trim().toUpperCase().startsWith("T"),
  };
}
