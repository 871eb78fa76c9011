import type { Browser, Locator, Page } from "@playwright/test";

import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

/** CPU throttling: the factor by which the page is slower than this machine. */
const SLOWDOWN = 4;
const LIMIT_MS = 100;
const ROUNDS = 5;

interface Opening {
  what: string;
  /** The element tapped on /shop. */
  on: (page: Page) => Locator;
}

const openings: Opening[] = [
  { what: "product", on: (page) => page.locator("main article h3 a").first() },
  { what: "vendor", on: (page) => page.locator('main article a[href^="/vendors/"]').first() },
  { what: "collection", on: (page) => page.locator('a[href^="/collections/"]').first() },
  { what: "cart", on: (page) => page.getByRole("button", { name: /^Cart/ }).last() },
  { what: "search", on: (page) => page.getByRole("button", { name: "Search", exact: true }) },
  { what: "market", on: (page) => page.getByRole("button", { name: /^Your market/ }) },
];

interface Marks {
  tapped: number;
  painted: number;
}

/** Runs in the page: records the times, in ms, of the tap and of the frame that shows a dialog, as the browser measures them. */
const WATCH = `
  const marks = { tapped: 0, shown: 0, painted: 0 };
  globalThis.marks = marks;
  addEventListener("pointerup", ({ timeStamp }) => Object.assign(marks, { tapped: timeStamp, shown: 0, painted: 0 }), true);
  new MutationObserver(() => {
    if (marks.shown || !marks.tapped || !document.querySelector("dialog:is([open], :popover-open)")) return;
    marks.shown = performance.now();
    // For a dialog that opens after the frame that responds to the tap.
    requestAnimationFrame(() => setTimeout(() => (marks.late = performance.now())));
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["open", "popover"] });
  const settle = () => {
    if (!marks.late || !marks.answered) return setTimeout(settle, 10);
    marks.painted = marks.answered > marks.shown ? marks.answered : marks.late;
  };
  new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries())
      if (name === "click" && startTime >= marks.tapped) marks.answered = startTime + duration;
    if (marks.answered) settle();
  }).observe({ type: "event", durationThreshold: 16 });
`;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Runs in the page: resolves when nothing was fetched for half a second and the browser is idle. */
const WAIT_UNTIL_IDLE = `new Promise((resolve) => {
  let before = -1;
  const check = () => {
    const now = performance.getEntriesByType("resource").length;
    if (now === before) return requestIdleCallback(() => resolve());
    before = now;
    setTimeout(check, 500);
  };
  check();
})`;

/** Scrolls the target into view and waits until the page is idle. @returns the center of the target */
async function settle(page: Page, target: Locator): Promise<{ x: number; y: number }> {
  await target.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await page.evaluate(WAIT_UNTIL_IDLE);
  const { x, y, width, height } = (await target.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** The time from a tap to the painted frame of an overlay on a phone with a processor four times slower. */
export async function benchFrames(browser: Browser, address: string): Promise<Row[]> {
  const { cookie } = await visit(address);
  const [name = "", value = ""] = cookie.split("=");
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  });
  try {
    await context.addCookies([{ name, value, url: address }]);
    await context.addInitScript({ content: WATCH });
    const rows: Row[] = [];
    for (const { what, on } of openings) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const page = await context.newPage();
        const session = await context.newCDPSession(page);
        await page.goto(`${address}/shop`, { waitUntil: "networkidle" });
        // The first input event fetches the overlays' code.
        await page.mouse.move(5, 5);
        const { x, y } = await settle(page, on(page));
        await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
        // The touchscreen, because Playwright's `tap` first scrolls and checks which element receives it.
        await page.touchscreen.tap(x, y);
        let marks: Marks;
        do marks = await page.evaluate<Marks>("globalThis.marks");
        while (marks.painted <= 0);
        const { tapped, painted } = marks;
        times.push(painted - tapped);
        await page.close();
      }
      rows.push({
        what: `tap → frame of the ${what} painted, processor ÷ ${SLOWDOWN}`,
        value: `${Math.round(median(times))} ms (${times.map((ms) => Math.round(ms)).join(", ")})`,
        wanted: `≤ ${LIMIT_MS} ms`,
        good: median(times) <= LIMIT_MS,
      });
    }
    return rows;
  } finally {
    await context.close();
  }
}
