import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { isSoak } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { startProcess } from "../../test/processes.ts";
import { send } from "../../test/race.ts";

/** Idle sockets that an attacker opens, in batches. */
const TOTAL = 10_000;
const BATCH = 500;

test.runIf(isSoak)(
  "idle sockets: of ten thousand that send nothing or one request, at most two thousand stay open, and soon none",
  { tags: ["fail:I3"] },
  async () => {
    const market = await buildTestApp();
    const server = await startProcess({ databaseUrl: market.url, dataDir: market.dataDir, timeoutFactor: 1 });
    const sockets = new Set<Socket>();
    let answered = 0;
    let most = 0;
    const openSocket = async (sends: boolean) => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
      await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => undefined);
      if (socket.destroyed) return;
      sockets.add(socket);
      socket.once("data", () => (answered += 1));
      if (sends) socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
    };
    for (let from = 0; from < TOTAL; from += BATCH) {
      await Promise.all(Array.from({ length: BATCH }, (_, at) => openSocket(at % 2 === 0)));
      // The server closes sockets beyond the limit shortly after they connect.
      await expect.poll(() => sockets.size, { timeout: 60_000 }).toBeLessThanOrEqual(2000);
      most = Math.max(most, sockets.size);
    }
    expect(most).toBeGreaterThan(BATCH);
    expect(answered).toBeGreaterThan(0);
    // Both kinds are closed: 8 s for headers, 10 s between requests.
    await expect.poll(() => sockets.size, { timeout: 60_000 }).toBe(0);
    const response = await send({ port: server.port, method: "GET", path: "/healthz" });
    expect(response.status).toBe(200);
    await server.kill();
  },
);
