import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHubNow, PASSWORD } from "../../../test/factories.ts";
import { startProcess } from "../../../test/processes.ts";
import { send } from "../../../test/race.ts";

const COUNT = 3;

test("logout: a session that one server ended is rejected by every other", { tags: ["fail:F2"] }, async () => {
  const market = await buildTestApp({ now: new Date().toISOString() });
  const hub = await createHubNow(market.db);
  const customer = await createCustomer(market.db, { hubId: hub.id, pepper: market.deps.env.pepper });
  const servers = await Promise.all(
    Array.from({ length: COUNT }, () =>
      startProcess({ databaseUrl: market.url, dataDir: market.dataDir, jobs: false, env: { RATE_LIMITS: "off" } }),
    ),
  );
  // Each server ends one session; all three have read it and may have it cached.
  for (const ends of servers) {
    const browser = market.shopper();
    expect((await browser.post("/auth/login", { username: customer.email, password: PASSWORD })).status).toBe(200);
    const cookie = browser.cookieHeader();
    const replayed = () =>
      Promise.all(
        servers.map(async ({ port }) => (await send({ port, method: "GET", path: "/api/auth", cookie })).status),
      );
    expect(await replayed()).toEqual(servers.map(() => 200));
    expect((await send({ port: ends.port, method: "PUT", path: "/api/auth/logout", body: {}, cookie })).status).toBe(
      200,
    );
    // At once on this server; on the others after Postgres's notification.
    expect((await send({ port: ends.port, method: "GET", path: "/api/auth", cookie })).status).toBe(401);
    await expect.poll(replayed, { interval: 20 }).toEqual(servers.map(() => 401));
  }
});
