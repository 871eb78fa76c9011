import { setImmediate as nextTurn } from "node:timers/promises";

import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";

/** Keeps this thread busy, as a server with far too much to do is. */
function stall(ms: number) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("a server that is far behind says so at once and when to come back; whoever watches it is answered", async () => {
  const market = await buildTestApp({ env: { RATE_LIMITS: "on" }, timeoutFactor: 1 });
  const browser = market.shopper();
  const probe = async (url: string) => (await market.app.inject({ url })).statusCode;
  await expect
    .poll(
      async () => {
        // Between the last two looks at the clock nothing was in time.
        for (let n = 0; n < 3; n += 1) {
          stall(2_200);
          await nextTurn();
        }
        const [{ status, headers, body }, ...probed] = await Promise.all([
          browser.get("/hubs"),
          probe("/healthz"),
          probe("/readyz"),
        ]);
        return [status, headers["retry-after"], body[0], body[1]?.code, probed];
      },
      { interval: 1 },
    )
    .toEqual([503, "2", "The market is very busy. Please try again in a moment.", "overloaded", [200, 200]]);
  await expect.poll(async () => (await browser.get("/hubs")).status).toBe(200);
});
