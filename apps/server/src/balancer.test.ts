import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { atEnd, createTestFolder, quietPort } from "@marketday/db/testing";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../test/app.ts";
import { createCustomer, createHubNow, createProduct, PASSWORD } from "../test/factories.ts";
import { type ServerProcess, startProcess } from "../test/processes.ts";
import { projectRoot } from "./env.ts";

const hasCaddy = (() => {
  try {
    return execFileSync("caddy", ["version"], { stdio: ["ignore", "pipe", "ignore"] }).length > 0;
  } catch {
    return false;
  }
})();

/** The balancer of docker-compose.yml with its Caddyfile unchanged, until the end of the test. */
async function startCaddy(upstreams: readonly number[], trustedProxies = "127.0.0.1"): Promise<number> {
  const port = await quietPort();
  const home = createTestFolder("caddy");
  const file = join(projectRoot, "deploy/balancer.Caddyfile");
  const caddy = spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
    stdio: "ignore",
    env: {
      ...process.env,
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      LISTEN: `http://127.0.0.1:${port}`,
      UPSTREAMS: upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(" "),
      TRUSTED_PROXIES: trustedProxies,
    },
  });
  const exited = once(caddy, "exit");
  atEnd(() => {
    caddy.kill();
    return exited;
  });
  const status = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.status,
      () => 0,
    );
  await expect.poll(status).toBe(200);
  return port;
}

describe.runIf(hasCaddy)("the balancer of docker-compose.yml", () => {
  test(
    "rolling restart of three servers: none of 2,000 requests, half of them writes, fails",
    { tags: ["fail:M12", "fail:D10"] },
    async () => {
      const market = await buildTestApp();
      market.clock.set(new Date());
      const hub = await createHubNow(market.db);
      const eggs = await createProduct(market.db, hub.id, { inventory: 1_000 });
      const row = await createCustomer(market.db, { hubId: hub.id, pepper: market.deps.env.pepper });
      const browser = market.shopper();
      expect((await browser.post("/auth/login", { username: row.email, password: PASSWORD })).status).toBe(200);

      const startServer = (port: number): Promise<ServerProcess> =>
        startProcess({
          databaseUrl: market.url,
          dataDir: market.dataDir,
          env: {
            PORT: String(port),
            SESSION_SECRET: market.deps.env.sessionSecrets.join(","),
            PASSWORD_PEPPER: market.deps.env.pepper,
            // As in production.
            DRAIN_SECONDS: "5",
          },
        });
      const ports = [await quietPort(), await quietPort(), await quietPort()];
      const servers = await Promise.all(ports.map(startServer));
      const balancer = await startCaddy(ports);
      const headers = {
        cookie: browser.cookieHeader(),
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
      };

      const failures: string[] = [];
      const pending: Promise<void>[] = [];
      const send = async (n: number): Promise<void> => {
        const response = await fetch(`http://127.0.0.1:${balancer}/api/cart`, {
          headers,
          ...(n % 2 === 0 && { method: "PUT", body: JSON.stringify([eggs.line((n % 20) + 1)]) }),
        });
        const text = await response.text();
        if (response.status !== 200) failures.push(`${response.status} ${text.slice(0, 200)}`);
      };
      const client = setInterval(() => {
        pending.push(send(pending.length).catch((error: unknown) => void failures.push(String(error))));
      }, 12);
      for (const [index, port] of ports.entries()) {
        await servers[index]!.kill("SIGTERM");
        servers[index] = await startServer(port);
        // The next server is restarted once this one is ready, as `docker compose up --wait` does.
        await expect.poll(() => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status)).toBe(200);
      }
      await expect.poll(() => pending.length).toBeGreaterThanOrEqual(2_000);
      clearInterval(client);
      await Promise.all(pending);

      expect(failures).toEqual([]);
      expect(await market.audit()).toEqual([]);
      for (const server of servers) await server.kill();
      await market.app.close();
    },
  );

  test("X-Forwarded-For: passed on from the proxy on the machine, replaced for everyone else", async () => {
    const echo = createServer((request, response) => response.end(String(request.headers["x-forwarded-for"])));
    echo.listen(0, "127.0.0.1");
    await once(echo, "listening");
    atEnd(() => {
      echo.close();
      echo.closeAllConnections();
      return Promise.resolve();
    });
    const { port } = echo.address() as AddressInfo;
    const received = async (balancer: number): Promise<string> =>
      (await fetch(`http://127.0.0.1:${balancer}/`, { headers: { "x-forwarded-for": "203.0.113.7" } })).text();
    expect(await received(await startCaddy([port]))).toBe("203.0.113.7, 127.0.0.1");
    expect(await received(await startCaddy([port], "192.0.2.1"))).toBe("127.0.0.1");
  });
});
