import type { Browser, Page } from "@playwright/test";

import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

/** How much slower than this machine. */
const SLOWER = 4;
const WANTED_MS = 100;
const ROUNDS = 5;

interface Opening {
  what: string;
  /** What is tapped on /shop. */
  tap: (page: Page) => Promise<void>;
}

const openings: Opening[] = [
  { what: "product", tap: (page) => page.locator("main article h3 a").first().tap() },
  { what: "vendor", tap: (page) => page.locator('main article a[href^="/vendors/"]').first().tap() },
  { what: "collection", tap: (page) => page.locator('a[href^="/collections/"]').first().tap() },
  { what: "cart", tap: (page) => page.getByRole("button", { name: /^Cart/ }).last().tap() },
  { what: "search", tap: (page) => page.getByRole("button", { name: "Search", exact: true }).tap() },
  { what: "market", tap: (page) => page.getByRole("button", { name: /^Your market/ }).tap() },
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
    for (const { what, tap } of openings) {
      const took: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const page = await context.newPage();
        const session = await context.newCDPSession(page);
        await page.goto(`${address}/shop`, { waitUntil: "networkidle" });
        // The first sign of a person fetches the overlays' code.
        await page.mouse.move(5, 5);
        await page.waitForLoadState("networkidle");
        await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
        await tap(page);
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
