import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { Controls } from "../stack/controls.ts";
import type { HubPlace, MarketFacts } from "../stack/market.ts";

type ControlInput<K extends keyof Controls> = Parameters<Controls[K]>[1];
type ControlAnswer<K extends keyof Controls> = Awaited<ReturnType<Controls[K]>>;

/** The market of a worker's tests. */
export interface TestMarket extends MarketFacts {
  address: string;
  /** The test control channel, see `stack/controls.ts`. */
  ask<K extends keyof Controls>(
    op: K,
    ...input: undefined extends ControlInput<K> ? [] : [ControlInput<K>]
  ): Promise<ControlAnswer<K>>;
  /** The same market with another hub of it in place of the first. */
  at(place: HubPlace): TestMarket;
}

/** Starts the stack of `stack/main.ts` in a separate process, in the Postgres that the environment names. */
export async function openTestMarket(payments: string): Promise<{ opened: TestMarket; child: ChildProcess }> {
  const { POSTGRES_URL = "", POSTGRES_TEMPLATE = "", PICTURES = "", NODE_OPTIONS: _, ...env } = process.env;
  const main = fileURLToPath(new URL("../stack/main.ts", import.meta.url));
  const child = fork(main, [POSTGRES_URL, POSTGRES_TEMPLATE, PICTURES], {
    env: { ...env, E2E_PAYMENTS: payments },
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ready = await Promise.race([once(child, "message"), once(child, "exit").then(() => null)]);
  if (!ready) throw new Error("The tests' market ended before it opened.");
  const { address, market } = ready[0] as { address: string; market: MarketFacts };
  const waiting = new Map<number, (answer: { value?: unknown; error?: string }) => void>();
  let last = 0;
  child.on("message", (answer: { id: number; value?: unknown; error?: string }) => waiting.get(answer.id)?.(answer));
  const marketAt = (place: HubPlace): TestMarket => ({
    ...market,
    ...place,
    address,
    at: marketAt,
    ask: (op, ...[input]) =>
      new Promise((done, fail) => {
        const id = ++last;
        waiting.set(id, ({ value, error }) => {
          waiting.delete(id);
          if (error === undefined) done(value as never);
          else fail(new Error(`${op}: ${error}`));
        });
        child.send({ id, op, place, input: input ?? {} });
      }),
  });
  const opened = marketAt({ hub: market.hub, zip: market.zip });
  return { opened, child };
}
