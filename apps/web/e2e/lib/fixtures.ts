import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { expect, type Page, test as base } from "@playwright/test";

import type { Controls } from "../stack/controls.ts";
import type { MarketFacts } from "../stack/market.ts";

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
}

async function openTestMarket(payments: string): Promise<{ opened: TestMarket; child: ChildProcess }> {
  const { POSTGRES_URL = "", POSTGRES_TEMPLATE = "", NODE_OPTIONS: _, ...env } = process.env;
  const main = fileURLToPath(new URL("../stack/main.ts", import.meta.url));
  const child = fork(main, [POSTGRES_URL, POSTGRES_TEMPLATE], {
    env: { ...env, STORY_PAYMENTS: payments },
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ready = await Promise.race([once(child, "message"), once(child, "exit").then(() => null)]);
  if (!ready) throw new Error("The tests' market ended before it opened.");
  const { address, market } = ready[0] as { address: string; market: MarketFacts };
  const waiting = new Map<number, (answer: { value?: unknown; error?: string }) => void>();
  let last = 0;
  child.on("message", (answer: { id: number; value?: unknown; error?: string }) => waiting.get(answer.id)?.(answer));
  const opened: TestMarket = {
    ...market,
    address,
    ask: (op, ...[input]) =>
      new Promise((done, fail) => {
        const id = ++last;
        waiting.set(id, ({ value, error }) => {
          waiting.delete(id);
          if (error === undefined) done(value as never);
          else fail(new Error(`${op}: ${error}`));
        });
        child.send({ id, op, input: input ?? {} });
      }),
  };
  return { opened, child };
}

interface WorkerThings {
  /** `PAYMENTS` of the market's server. */
  payments: "test" | "offline" | "stripe";
  market: TestMarket;
}
interface StoryThings {
  /** What no test may cause: a violated policy, a request to another origin, an error, a lost focus. Checked after each test. */
  pageErrors: { foreign: string[]; violations: string[]; errors: string[]; lostFocus: string[] };
}

/**
 * In the page: reports when the element that had the focus was removed and the next key press, click or tap, or two
 * seconds later, still finds the focus on `body`.
 */
function watchFocus(): void {
  let last: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    const { report } = { report: (window as unknown as { reportLostFocus: (text: string) => void }).reportLostFocus };
    report(`${location.pathname}: ${last.outerHTML.slice(0, 200)}`);
    last = null;
  };
  document.addEventListener("focusin", ({ target }) => (last = target as HTMLElement));
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, check, { capture: true });
  new MutationObserver(() => {
    if (last && !last.isConnected) timer ??= setTimeout(check, 2000);
  }).observe(document, { childList: true, subtree: true });
}

/** A test on the real stack. One market for each worker; each test creates its own shopper. */
export const test = base.extend<StoryThings, WorkerThings>({
  payments: ["test", { option: true, scope: "worker" }],
  market: [
    async ({ payments }, provide) => {
      const { opened, child } = await openTestMarket(payments);
      await provide(opened);
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
    { scope: "worker" },
  ],
  baseURL: async ({ market }, provide) => provide(market.address),
  pageErrors: [
    async ({ context, market, payments }, provide) => {
      // Stripe's script and what it asks are the one other origin, where the market pays through it.
      const allowed = payments === "stripe" ? ["https://js.stripe.com", "https://api.stripe.com"] : [];
      const pageErrors = {
        foreign: [] as string[],
        violations: [] as string[],
        errors: [] as string[],
        lostFocus: [] as string[],
      };
      context.on("request", (request) => {
        const url = new URL(request.url());
        if (
          url.origin !== market.address &&
          !allowed.includes(url.origin) &&
          !["data:", "blob:", "about:"].includes(url.protocol)
        )
          pageErrors.foreign.push(request.url());
      });
      await context.exposeBinding("reportViolation", (_, text: string) => void pageErrors.violations.push(text));
      await context.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
          (window as unknown as { reportViolation: (text: string) => void }).reportViolation(
            `${violatedDirective} ${blockedURI} ${sourceFile}`,
          );
        });
      });
      await context.exposeBinding("reportLostFocus", (_, text: string) => void pageErrors.lostFocus.push(text));
      await context.addInitScript(watchFocus);
      context.on("weberror", (error) => pageErrors.errors.push(String(error.error().stack ?? error.error())));
      await provide(pageErrors);
      expect(pageErrors, "no test violates the policy, requests another origin, throws or loses the focus").toEqual({
        foreign: [],
        violations: [],
        errors: [],
        lostFocus: [],
      });
    },
    { auto: true },
  ],
});

export { expect };
export type { Page };
