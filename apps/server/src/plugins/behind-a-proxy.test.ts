import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

import { atEnd } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { sendRaw, smuggled } from "../../test/smuggling.ts";

/** What the next shoppers request, with its status. A leftover response to `BEHIND` is a 200, and the first of them is none. */
const REQUESTS: [string, number][] = [
  ["/api/nothing/here", 404],
  ["/api/hubs/abc/details", 400],
  ["/api/auth", 200],
  ["/readyz", 200],
];

/** With a second request that leaves the connection open, so that a response to it could reach another client. */
const keepingOpen = (bytes: string) => bytes.replaceAll("connection: close\r\n", "");

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

/**
 * A proxy that forwards the bytes of a client unchanged, as one request, and their first response to it. It uses its one
 * connection to the server for every client, until the server closes it or says that it will: a second response to the
 * same bytes would be the next client's.
 */
async function startTrustingProxy(port: number): Promise<number> {
  let upstream: { socket: Socket; unread: string } | null = null;
  const connectUpstream = () => {
    const current = { socket: connect(port, "127.0.0.1"), unread: "" };
    current.socket.setEncoding("latin1");
    current.socket.on("data", (part) => (current.unread += String(part)));
    current.socket.on("error", () => undefined);
    current.socket.on("close", () => void (upstream === current && (upstream = null)));
    return current;
  };
  const server = createServer((client) => {
    client.on("error", () => undefined);
    const forward = async (bytes: Buffer) => {
      const current = (upstream ??= connectUpstream());
      current.socket.write(bytes);
      let response: RegExpExecArray | null = null;
      const isComplete = () => {
        response = /^HTTP\/1\.1 \d+ [^]*?\r\n\r\n/.exec(current.unread);
        const length = Number(/content-length: (\d+)/i.exec(response?.[0] ?? "")?.[1] ?? 0);
        return response && current.unread.length >= response[0].length + length ? response[0].length + length : 0;
      };
      while (isComplete() === 0 && !current.socket.closed)
        await Promise.race([once(current.socket, "data"), once(current.socket, "close")]);
      const end = isComplete();
      client.end(Buffer.from(current.unread.slice(0, end), "latin1"));
      if (/^connection: close/im.test(current.unread.slice(0, end)) && upstream === current) upstream = null;
      current.unread = current.unread.slice(end);
    };
    client.once("data", (bytes) => void forward(bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    upstream?.socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends each smuggled request through a proxy that keeps its connections, and checks what the next shoppers receive. */
async function expectOwnResponses(proxy: number): Promise<void> {
  for (const [name, bytes] of smuggled) {
    await sendRaw(proxy, keepingOpen(bytes));
    // A leftover response would be sent to the next client.
    for (const [path, status] of REQUESTS) {
      const text = await sendRaw(proxy, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      expect([name, path, text.split(" ")[1]]).toEqual([name, path, String(status)]);
    }
  }
}

test(
  "a proxy that forwards smuggled requests unchanged on a shared connection: the next shopper's response is their own",
  { tags: ["fail:I11"] },
  async () => {
    await expectOwnResponses(await startTrustingProxy((await buildTestApp()).port));
  },
);

test.runIf(hasCaddy)(
  "balancer: a smuggled request never affects the next shopper's response",
  { tags: ["fail:I11"] },
  async () => {
    const market = await buildTestApp();
    const { port } = market;
    const proxy = await startCaddy(port, mkdtempSync(join(market.dataDir, "caddy-")));
    for (const [name, bytes] of smuggled) {
      await sendRaw(proxy, keepingOpen(bytes));
      // The balancer reuses its connections: a leftover response would be sent to the next client.
      for (const [path, status] of REQUESTS) {
        const response = await fetch(`http://127.0.0.1:${proxy}${path}`);
        expect([name, path, response.status]).toEqual([name, path, status]);
        await response.text();
      }
    }
  },
);
