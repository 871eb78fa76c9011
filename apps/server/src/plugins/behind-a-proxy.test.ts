import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";

import { atEnd } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { sendRaw, smuggled } from "../../test/smuggling.ts";

/** The balancer of docker-compose.yml, where it is installed. */
const hasCaddy = (() => {
  try {
    return execFileSync("caddy", ["version"], { stdio: ["ignore", "pipe", "ignore"] }).length > 0;
  } catch {
    return false;
  }
})();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Starts Caddy in front of a server, with keep-alive connections to it, until the end of the test; resolves when it responds. */
async function startCaddy(port: number, home: string): Promise<number> {
  const proxyPort = await freePort();
  const file = join(home, "Caddyfile");
  writeFileSync(
    file,
    `{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:${proxyPort}, http://localhost:${proxyPort}, http://:${proxyPort} {\n reverse_proxy 127.0.0.1:${port}\n}\n`,
  );
  const caddy = spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
    stdio: "ignore",
    env: { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
  });
  const exited = once(caddy, "exit");
  atEnd(() => {
    caddy.kill();
    return exited;
  });
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${proxyPort}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  return proxyPort;
}

test.runIf(hasCaddy)(
  "balancer: a smuggled request never affects the next shopper's response",
  { tags: ["fail:I11"] },
  async () => {
    const market = await buildTestApp();
    const { port } = market;
    const proxy = await startCaddy(port, mkdtempSync(join(market.dataDir, "caddy-")));
    const requests: [string, number][] = [
      ["/api/auth", 200],
      ["/api/nothing/here", 404],
      ["/api/hubs/abc/details", 400],
      ["/readyz", 200],
    ];
    for (const [name, bytes] of smuggled) {
      await sendRaw(proxy, bytes);
      // The balancer reuses its connections: a leftover response would be sent to the next client.
      for (const [path, status] of requests) {
        const response = await fetch(`http://127.0.0.1:${proxy}${path}`);
        expect([name, path, response.status]).toEqual([name, path, status]);
        await response.text();
      }
    }
  },
);
