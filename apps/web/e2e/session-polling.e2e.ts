import { SESSION_CHECK_MS, VERSION_POLL_MS } from "@marketday/domain/limits";

import { expect, test } from "./lib/fixtures.ts";
import { beGuest } from "./lib/shopper.ts";
import { openWithHeartbeat } from "./lib/timers.ts";

interface Polled {
  began: number;
  requests: [path: string, at: number][];
}

test(
  "the build is polled every 3 minutes, the session every 15",
  { tag: ["@spec:7.11-04", "@spec:9-14"] },
  async ({ page, market }) => {
    expect([VERSION_POLL_MS, SESSION_CHECK_MS]).toEqual([180_000, 900_000]);
    await beGuest(page, market);
    await page.clock.install();
    // When the page asks, by its own clock: ours goes on while the page opens, however long that takes.
    await page.addInitScript(() => {
      const began = Date.now();
      const requests: [path: string, at: number][] = [];
      Object.assign(window, { began, requests });
      const ask = window.fetch;
      window.fetch = (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
        if (["/version.json", "/api/auth"].includes(pathname)) requests.push([pathname, Date.now()]);
        return ask(input, init);
      };
    });
    await openWithHeartbeat(page, "/shop");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.clock.runFor(2 * SESSION_CHECK_MS);
    const { began, requests } = await page.evaluate(() => {
      const { began, requests } = window as unknown as Polled;
      return { began, requests };
    });
    for (const [path, every, times] of [
      ["/version.json", VERSION_POLL_MS, 10],
      ["/api/auth", SESSION_CHECK_MS, 2],
    ] as const) {
      const at = requests.filter(([requested]) => requested === path).map(([, when]) => when);
      expect(at).toHaveLength(times);
      // Not at once, then evenly.
      expect(at[0]).toBeGreaterThanOrEqual(began + every);
      expect(at.map((when) => when - at[0]!)).toEqual(at.map((_, turn) => turn * every));
    }
  },
);

test("without the map's script the area is drawn and listed", { tag: ["@fail:E6"] }, async ({ page, market }) => {
  await beGuest(page, market);
  const refused: string[] = [];
  await page.route(/\/assets\/(hub-map|leaflet)[^/]*\.js$/, (route) => {
    refused.push(route.request().url());
    return route.abort();
  });
  await page.goto(`/hubs/${market.hub.id}`);
  const where = page.getByRole("heading", { name: "Where it delivers" });
  await where.scrollIntoViewIfNeeded();
  await expect.poll(() => refused.length).toBeGreaterThan(0);
  await expect(where).toBeVisible();
  await expect(page.getByRole("main").locator("svg path").first()).toBeAttached();
  await expect(
    page
      .getByRole("main")
      .getByText(/Hamilton|Boone|Marion/)
      .first(),
  ).toBeVisible();
});
