import { size } from "@marketday/db/testing";
import { afterAll, expect, test } from "vitest";

import { buildTestApp } from "../test/app.ts";
import { startBalancer } from "../test/balancer.ts";
import { createCustomer, createHubNow, createProduct, PASSWORD } from "../test/factories.ts";
import { type ServerProcess, startProcess } from "../test/processes.ts";

const market = await buildTestApp();
const { db } = market;
const balancer = await startBalancer();
afterAll(() => balancer.close());

const REQUESTS_PER_SECOND = 50;

async function startServer(): Promise<ServerProcess> {
  const server = await startProcess({
    databaseUrl: market.url,
    dataDir: market.dataDir,
    env: {
      SESSION_SECRET: market.deps.env.sessionSecrets.join(","),
      PASSWORD_PEPPER: market.deps.env.pepper,
      DRAIN_SECONDS: "1",
    },
  });
  balancer.add(server.port);
  await expect.poll(() => balancer.readiness.get(server.port)?.at(-1)).toBe(200);
  return server;
}

test(
  "rolling restart: a client at 50 requests a second, reads and writes, behind a balancer sees no failure",
  { tags: ["fail:M12", "fail:D10"] },
  async () => {
    market.clock.set(new Date());
    const hub = await createHubNow(db);
    const eggs = await createProduct(db, hub.id, { inventory: 1_000 });
    const row = await createCustomer(db, { hubId: hub.id, pepper: market.deps.env.pepper });
    const browser = market.shopper();
    expect((await browser.post("/auth/login", { username: row.email, password: PASSWORD })).status).toBe(200);
    const headers = {
      cookie: browser.cookieHeader(),
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
    };

    let servers: ServerProcess[] = await Promise.all([startServer(), startServer(), startServer()]);
    const failures: string[] = [];
    const pending: Promise<void>[] = [];
    const send = async (n: number): Promise<void> => {
      const isWrite = n % 2 === 0;
      const response = await fetch(`http://127.0.0.1:${balancer.port}/api/cart`, {
        method: isWrite ? "PUT" : "GET",
        headers,
        ...(isWrite && { body: JSON.stringify([eggs.line((n % 20) + 1)]) }),
      });
      const text = await response.text();
      if (response.status !== 200) failures.push(`${response.status} ${text.slice(0, 200)}`);
    };
    let sent = 0;
    const client = setInterval(() => {
      pending.push(send(sent).catch((error: unknown) => void failures.push(String(error))));
      sent += 1;
    }, 1_000 / REQUESTS_PER_SECOND);

    const stopped: number[] = [];
    for (let round = 0; round < size(1, 3); round += 1) {
      for (const old of servers) {
        await old.kill("SIGTERM");
        stopped.push(old.port);
        servers = [...servers.filter((server) => server !== old), await startServer()];
      }
    }
    clearInterval(client);
    await Promise.all(pending);

    expect(failures).toEqual([]);
    expect(sent).toBeGreaterThan(stopped.length * REQUESTS_PER_SECOND);
    // Each returned 503 while it still answered, and only then stopped.
    for (const port of stopped) expect(balancer.readiness.get(port)).toEqual([200, 503, 0]);
    expect(await market.audit()).toEqual([]);
    for (const server of servers) await server.kill();
  },
);
