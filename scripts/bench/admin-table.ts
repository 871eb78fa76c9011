import type { Browser, Page } from "@playwright/test";

import { startBrowser } from "../lib/browser.ts";
import { startChild } from "./child.ts";
import type { Row } from "./table.ts";

/** CPU throttling: the factor by which the page is slower than this machine. */
const SLOWDOWN = 4;
const ROUNDS = 5;

/** A list of the admin app as it is measured. */
interface Table {
  /** "table of 200 boxes" */
  what: string;
  path: string;
  /** The end of the path of its answer. */
  answer: string;
  /** Rows that are on screen when it is usable: all, or the first of a grid that renders those in sight. */
  rows: number;
  /** Of the answer, only these boxes; null: all of it. */
  boxes: number | null;
  /** ms */
  limit: number;
}

/** Runs in the page: records when the answer of the list is in, and when the browser has rendered its rows and can react again, ms. */
const watch = ({ rows, answer }: Table): string => `
  globalThis.marks = { answered: 0, usable: 0 };
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll("tbody > tr").length < ${rows}) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (marks.usable = performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (new URL(entry.name).pathname.endsWith(${JSON.stringify(answer)})) marks.answered = entry.responseEnd;
  }).observe({ type: "resource", buffered: true });
`;

async function measure(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await page.waitForFunction("marks.answered > 0 && marks.usable > 0");
  const { answered, usable } = await page.evaluate<{ answered: number; usable: number }>("marks");
  return usable - answered;
}

async function openPage(browser: Browser, address: string, cookie: string, table: Table): Promise<Page> {
  const [name = "", value = ""] = cookie.split("=");
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
  await context.addCookies([{ name, value, url: address }]);
  await context.addInitScript(watch(table));
  const page = await context.newPage();
  const { boxes } = table;
  if (boxes !== null)
    await page.route(`**/api/**${table.answer}`, async (route) => {
      const response = await route.fetch();
      const day = (await response.json()) as { boxes: unknown[] };
      await route.fulfill({ response, json: { ...day, boxes: day.boxes.slice(0, boxes) } });
    });
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  return page;
}

/**
 * The time from the answer of a list until it has rendered its rows and reacts, on a page that is slower by `SLOWDOWN`: the best of
 * several, because other processes only make one slower.
 * @param cookie of a person who may read it
 */
export async function benchAdminTable(env: Record<string, string>, cookie: string, table: Table): Promise<Row> {
  const server = await startChild("child-main.ts", env);
  const browser = await startBrowser();
  try {
    const page = await openPage(browser, server.address, cookie, table);
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round += 1)
      best = Math.min(best, await measure(page, `${server.address}${table.path}`));
    return {
      what: `${table.what} after its data, CPU ÷ ${SLOWDOWN}`,
      value: `${best.toFixed(0)} ms`,
      wanted: `≤ ${table.limit} ms`,
      good: best <= table.limit,
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}
