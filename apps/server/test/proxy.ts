import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

import { afterAll } from "vitest";

/** `pass`: everything goes through. `blackhole`: what is sent arrives nowhere, and nobody says so (half-open). */
type ProxyMode = "pass" | "blackhole";

export interface Proxy {
  port: number;
  mode: ProxyMode;
  /** How long the answer to a COMMIT is held back, in ms (failures.md D9). */
  commitDelayMs: number;
  /**
   * The next COMMIT reaches Postgres and is done, but its answer is lost with the connection (failures.md D2). Settles
   * when that has happened.
   */
  loseNextCommit(): Promise<void>;
}

/** A line between a server and its Postgres that can be made bad (docs/failures.md). Closed with the file's tests. */
async function proxyTo(target: { host: string; port: number }): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let lost: (() => void) | null = null;
  const proxy: Proxy = {
    port: 0,
    mode: "pass",
    commitDelayMs: 0,
    loseNextCommit: () => new Promise((resolve) => (lost = resolve)),
  };
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    let cutOnAnswer: (() => void) | null = null;
    let isCommit = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (data) => {
      if (proxy.mode === "blackhole") return;
      isCommit = proxy.commitDelayMs > 0 && /\bcommit\b/i.test(data.toString("latin1"));
      if (lost && /\bcommit\b/i.test(data.toString("latin1"))) {
        cutOnAnswer = lost;
        lost = null;
      }
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (proxy.mode === "blackhole") return;
      if (!cutOnAnswer) {
        if (!isCommit) return void client.write(data);
        // Nothing else is under way on a connection that waits for its COMMIT, so no answer overtakes another.
        return void setTimeout(() => client.writable && client.write(data), proxy.commitDelayMs).unref();
      }
      cutOnAnswer();
      client.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy.port = (server.address() as AddressInfo).port;
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return proxy;
}

/** The same database, reached through the proxy. */
export async function behindProxy(url: string): Promise<{ proxy: Proxy; url: string }> {
  const there = new URL(url);
  const proxy = await proxyTo({ host: there.hostname || "127.0.0.1", port: Number(there.port || 5432) });
  there.hostname = "127.0.0.1";
  there.port = String(proxy.port);
  return { proxy, url: there.href };
}
