import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

import { atEnd } from "@marketday/db/testing";

/**
 * `pass`: forwards everything. `blackhole`: drops everything and keeps the connections open (half-open). `refuse`: closes new
 * connections.
 */
type ProxyMode = "pass" | "blackhole" | "refuse";

export interface Proxy {
  port: number;
  mode: ProxyMode;
  /** Ends all connections and refuses new ones, until `mode` is `pass` again. */
  cut(): void;
  /** Delay of the response to a COMMIT, in ms (failures.md D9). */
  commitDelayMs: number;
  /**
   * Postgres executes the next COMMIT, but its response is lost with the connection (failures.md D2). Resolves when that has
   * happened.
   */
  loseNextCommit(): Promise<void>;
}

/** A faulty connection between a server and its Postgres (docs/failures.md). Closed at the end of the test or file. */
async function proxyTo(target: { host: string; port: number }): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let onCommitLost: (() => void) | null = null;
  const proxy: Proxy = {
    port: 0,
    mode: "pass",
    cut() {
      proxy.mode = "refuse";
      for (const socket of sockets) socket.destroy();
    },
    commitDelayMs: 0,
    loseNextCommit: () => new Promise((resolve) => (onCommitLost = resolve)),
  };
  const server = createServer((client) => {
    if (proxy.mode === "refuse") return void client.destroy();
    const upstream = connect(target.port, target.host);
    let closeOnResponse: (() => void) | null = null;
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
      if (onCommitLost && /\bcommit\b/i.test(data.toString("latin1"))) {
        closeOnResponse = onCommitLost;
        onCommitLost = null;
      }
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (proxy.mode === "blackhole") return;
      if (!closeOnResponse) {
        if (!isCommit) return void client.write(data);
        // A connection that waits for its COMMIT has no other response in flight, so responses stay in order.
        return void setTimeout(() => client.writable && client.write(data), proxy.commitDelayMs).unref();
      }
      closeOnResponse();
      client.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy.port = (server.address() as AddressInfo).port;
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return proxy;
}

/** The same database, reached through the proxy. */
export async function behindProxy(url: string): Promise<{ proxy: Proxy; url: string }> {
  const proxied = new URL(url);
  const proxy = await proxyTo({ host: proxied.hostname || "127.0.0.1", port: Number(proxied.port || 5432) });
  proxied.hostname = "127.0.0.1";
  proxied.port = String(proxy.port);
  return { proxy, url: proxied.href };
}
