import { once } from "node:events";

import { REQUEST_DEADLINE_MS } from "@marketday/domain/limits";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test as base,
} from "@playwright/test";

import { TEST_TIMEOUT_FACTOR } from "../../../server/test/clock.ts";
import { openTestMarket, type TestMarket } from "./market.ts";

interface WorkerFixtures {
  /** `PAYMENTS` of the market's server. */
  payments: "test" | "offline" | "stripe";
  /** The name of a market that no test has which does not name it: its one test may move its clock (`passTime`). Null: the shared one. */
  ownMarket: string | null;
  market: TestMarket;
}
interface TestFixtures {
  /** The ZIP code that `shop` serves, where the test needs a real one. */
  shopZip: string | undefined;
  /** The market with a hub for this test alone: nothing changes its offers, stock, prices and feed but the test. */
  shop: TestMarket;
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

/** In the page: the app's deadline of a request is so many times longer. Time that `page.clock` skips is not. */
function extendDeadline([deadlineMs, factor]: [deadlineMs: number, factor: number]): void {
  const set = window.setTimeout;
  window.setTimeout = ((run: () => void, ms?: number, ...args: unknown[]) =>
    set(run, ms === deadlineMs ? factor * deadlineMs : ms, ...args)) as typeof window.setTimeout;
}

const giveTime = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(extendDeadline, [REQUEST_DEADLINE_MS, TEST_TIMEOUT_FACTOR] as [number, number]);

/** A second browser on the market. Its requests have the time that those of the first have. */
export async function openBrowser(
  browser: Browser,
  market: TestMarket,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: market.address, ...options });
  await giveTime(context);
  return context;
}

/** A test on the real stack. One market for each worker; each test creates its own shopper. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  payments: ["test", { option: true, scope: "worker" }],
  ownMarket: [null, { option: true, scope: "worker" }],
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
  context: async ({ context }, provide) => {
    await giveTime(context);
    await provide(context);
  },
  shopZip: [undefined, { option: true }],
  shop: async ({ market, shopZip: zip }, provide) => {
    const place = await market.ask("openShop", { zip });
    await provide(market.at(place));
    await market.ask("closeHub", { hubId: place.hub.id });
  },
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
      context.on("weberror", (error) => {
        const { stack, name, message } = error.error();
        // The stack of a module that did not load is empty.
        pageErrors.errors.push(stack || `${name}: ${message}`);
      });
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
export type { Page, TestMarket };
