import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface Balancer {
  port: number;
  /** Adds a server; it receives requests once its `/readyz` returns 200. */
  add(port: number): void;
  remove(port: number): void;
  /** The statuses of each server's `/readyz`, in order, without repeats; 0: no response. */
  readiness: Map<number, number[]>;
  close(): Promise<void>;
}

const HEALTH_CHECK_MS = 100;
/** Only ends what hangs: a slow server is not a dead one. */
const HEALTH_CHECK_TIMEOUT_MS = 20_000;

/**
 * A load balancer: polls `/readyz` of each server, sends requests in turn to those that return 200 over keep-alive connections,
 * and never retries a request.
 */
export async function startBalancer(): Promise<Balancer> {
  const readiness = new Map<number, number[]>();
  const agent = new Agent({ keepAlive: true });
  let next = 0;

  const check = async (port: number): Promise<void> => {
    while (readiness.has(port)) {
      const status = await fetch(`http://127.0.0.1:${port}/readyz`, {
        signal: AbortSignal.timeout(HEALTH_CHECK_TIMEOUT_MS),
      }).then(
        (response) => response.status,
        () => 0,
      );
      const statuses = readiness.get(port);
      if (statuses && statuses.at(-1) !== status) statuses.push(status);
      await delay(HEALTH_CHECK_MS, undefined, { ref: false });
    }
  };

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const ready = [...readiness].filter(([, statuses]) => statuses.at(-1) === 200).map(([port]) => port);
    const port = ready[next++ % ready.length];
    if (port === undefined) return void outgoing.writeHead(502).end("no server is ready");
    const { connection: _connection, ...headers } = incoming.headers;
    const upstream = request({ host: "127.0.0.1", port, path: incoming.url, method: incoming.method, headers, agent });
    upstream.on("response", (response) => {
      const { connection: _hop, "keep-alive": _hint, ...responseHeaders } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, responseHeaders);
      response.pipe(outgoing);
    });
    upstream.on("error", (error) => void outgoing.writeHead(502).end(`server ${port}: ${error.message}`));
    incoming.pipe(upstream);
  };

  const server = createServer(forward);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    readiness,
    add(port) {
      readiness.set(port, []);
      void check(port);
    },
    remove: (port) => void readiness.delete(port),
    async close() {
      readiness.clear();
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
