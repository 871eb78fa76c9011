import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { START_OPTIONS, START_VARIABLES } from "@marketday/server/testing/start-settings";

/** A server in a separate process, as in production. It sends its address when it listens. */
export interface ChildServer {
  address: string;
  /** Resident memory in bytes. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

/** Runs a script of this folder that calls `serveBench`. Its output is discarded, its errors are shown. */
export async function startChild(script: string, env: Record<string, string> = {}): Promise<ChildServer> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), {
    env: { ...process.env, ...START_VARIABLES, ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: START_OPTIONS,
  });
  const ended = once(child, "exit");
  const ready = await Promise.race([once(child, "message"), ended.then(() => null)]);
  if (!ready) throw new Error(`${script} ended before it listened.`);
  const { address } = ready[0] as { address: string };
  return {
    address,
    async memory() {
      child.send("memory");
      const [reply] = (await once(child, "message")) as [{ rss: number }];
      return reply.rss;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** In the child: sends the address to the parent and replies to its messages until SIGTERM. */
export function serveBench(address: string, close: () => Promise<unknown>): void {
  process.on("message", (message) => {
    if (message === "memory") process.send?.({ rss: process.memoryUsage.rss() });
  });
  process.once("SIGTERM", () => void close().then(() => process.exit(0)));
  process.send?.({ address });
}
