import type { Browser, Locator, Page } from "@playwright/test";

import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

/** How much slower than this machine. */
const SLOWER = 4;
const WANTED_MS = 100;
const ROUNDS = 5;

interface Opening {
  what: string;
  /** What is tapped on /shop. */
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

/** Runs in the page: from the tap to the frame on the screen that has a dialog, ms, as the browser itself counts it. */
const WATCH = `
  const marks = { tapped: 0, shown: 0, painted: 0 };
  globalThis.marks = marks;
  addEventListener("pointerup", ({ timeStamp }) => Object.assign(marks, { tapped: timeStamp, shown: 0, painted: 0 }), true);
  new MutationObserver(() => {
    if (marks.shown || !marks.tapped || !document.querySelector("dialog:is([open], :popover-open)")) return;
    marks.shown = performance.now();
    // For what opens later than in the frame that answers the tap.
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

/** Runs in the page: over when nothing more has been fetched for half a second and the browser has nothing to do. */
const REST = `new Promise((rested) => {
  let before = -1;
  const look = () => {
    const now = performance.getEntriesByType("resource").length;
    if (now === before) return requestIdleCallback(() => rested());
    before = now;
    setTimeout(look, 500);
  };
  look();
})`;

/** Brings what will be tapped to where a finger finds it; answers its middle once the page rests there. */
async function settle(page: Page, target: Locator): Promise<{ x: number; y: number }> {
  await target.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await page.evaluate(REST);
  const { x, y, width, height } = (await target.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** How long after a tap the frame of an overlay is painted on a phone, with a processor four times slower. */
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
      const took: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const page = await context.newPage();
        const session = await context.newCDPSession(page);
        await page.goto(`${address}/shop`, { waitUntil: "networkidle" });
        // The first sign of a person fetches the overlays' code.
        await page.mouse.move(5, 5);
        const { x, y } = await settle(page, on(page));
        await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
        // By the browser alone: Playwright's own `tap` scrolls and asks the page what lies under the finger first.
        await page.touchscreen.tap(x, y);
        let marks: Marks;
        do marks = await page.evaluate<Marks>("globalThis.marks");
        while (marks.painted <= 0);
        const { tapped, painted } = marks;
        took.push(painted - tapped);
        await page.close();
      }
      rows.push({
        what: `tap → frame of the ${what} painted, processor ÷ ${SLOWER}`,
        value: `${Math.round(median(took))} ms (${took.map((ms) => Math.round(ms)).join(", ")})`,
        wanted: `≤ ${WANTED_MS} ms`,
        good: median(took) <= WANTED_MS,
      });
    }
    return rows;
  } finally {
    await context.close();
  }
}
