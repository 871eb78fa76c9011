import { SESSION_CHECK_MS } from "@marketday/domain/limits";
import { expect, type Page } from "@playwright/test";

type Noting = typeof globalThis & { timersSet?: number[]; intervalsSet?: [ms: number, at: number][] };

/** Notes from now on, until the next document, for how long the page sets its timers. After `page.clock`. */
export const noteTimers = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const set = window.setTimeout;
    const noted: number[] = [];
    (globalThis as Noting).timersSet = noted;
    window.setTimeout = ((run: () => void, ms = 0) => {
      noted.push(ms);
      return set(run, ms);
    }) as typeof window.setTimeout;
  });

/** Waits until the page has set a timer of so many ms: before that there is nothing for time to pass for. */
export async function timerIsSet(page: Page, ms: number): Promise<void> {
  await expect.poll(() => page.evaluate(() => (globalThis as Noting).timersSet)).toContain(ms);
}

const intervalsOf = (page: Page) => page.evaluate(() => (globalThis as Noting).intervalsSet ?? []);

/**
 * Opens a page and waits until it polls session and build, which it does some time after the first view. Before that there is
 * nothing for time to pass for. After `page.clock`.
 */
export async function openWithHeartbeat(page: Page, path: string): Promise<void> {
  await page.addInitScript(() => {
    const set = window.setInterval;
    const noted: [ms: number, at: number][] = [];
    (globalThis as Noting).intervalsSet = noted;
    window.setInterval = ((run: () => void, ms = 0) => {
      noted.push([ms, Date.now()]);
      return set(run, ms);
    }) as typeof window.setInterval;
  });
  await page.goto(path);
  // Those of the build and of the session are set in one task.
  await expect.poll(async () => (await intervalsOf(page)).map(([ms]) => ms)).toContain(SESSION_CHECK_MS);
}

/** When the page set its first interval of so many ms, by its own clock. */
export async function intervalSetAt(page: Page, ms: number): Promise<number> {
  const found = (await intervalsOf(page)).find(([of]) => of === ms);
  expect(found, `an interval of ${ms} ms`).toBeDefined();
  return found![1];
}

/** Waits until the page has read an answer with its build that has arrived: a later one is read after it. */
export async function buildIsRead(page: Page): Promise<void> {
  await page.evaluate(async () => (await fetch("/version.json")).text());
}
