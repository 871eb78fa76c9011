import { setImmediate as nextTurn } from "node:timers/promises";

import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";

/** Blocks this thread, like an overloaded server. */
function block(ms: number) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("overload: requests get 503 with Retry-After at once, and probes are still answered", async () => {
  const market = await buildTestApp({ env: { RATE_LIMITS: "on" }, timeoutFactor: 1 });
  const browser = market.shopper();
  const probe = async (url: string) => (await market.app.inject({ url })).statusCode;
  await expect
    .poll(
      async () => {
        // The last two samples are both over the limit.
        for (let n = 0; n < 3; n += 1) {
          block(2_200);
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
