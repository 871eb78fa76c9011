import { expect, type Page } from "@playwright/test";

type Noting = typeof globalThis & { timersSet?: number[] };

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

/**
 * Opens a page and waits until what follows session, build and time in it has begun: it is loaded after the first view, and begins
 * once its own imports are there too.
 */
export async function openWithHeartbeat(page: Page, path: string): Promise<void> {
  const loaded = page.waitForResponse(/\/session-polling-[^/]*\.js$/);
  await page.goto(path);
  // As text: the browser's own import, which ends after the one of the page.
  await page.evaluate(`import(${JSON.stringify((await loaded).url())}).then(() => null)`);
}
