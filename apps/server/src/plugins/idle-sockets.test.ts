import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { startProcess } from "../../test/processes.ts";
import { send } from "../../test/race.ts";

/** Sockets somebody opens to keep others out, this many at a time. */
const ALL = 10_000;
const AT_ONCE = 500;

test.runIf(process.env["SOAK"] === "1")(
  "ten thousand sockets that say nothing, or one thing, are at most two thousand, and soon none",
  { tags: ["fail:I3"] },
  async () => {
    const market = await buildTestApp();
    const server = await startProcess({ databaseUrl: market.url, dataDir: market.dataDir, timeoutFactor: 1 });
    const open = new Set<Socket>();
    let answered = 0;
    let most = 0;
    const knock = async (talks: boolean) => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.on("close", () => open.delete(socket));
      await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => undefined);
      if (socket.destroyed) return;
      open.add(socket);
      socket.once("data", () => (answered += 1));
      if (talks) socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
    };
    for (let from = 0; from < ALL; from += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => knock(at % 2 === 0)));
      // Those beyond the limit are closed by the server a moment after they connect.
      await expect.poll(() => open.size, { timeout: 60_000 }).toBeLessThanOrEqual(2000);
      most = Math.max(most, open.size);
    }
    expect(most).toBeGreaterThan(AT_ONCE);
    expect(answered).toBeGreaterThan(0);
    // Neither kind stays: 2 s for headers, 10 s between requests.
    await expect.poll(() => open.size, { timeout: 60_000 }).toBe(0);
    const answer = await send({ port: server.port, method: "GET", path: "/healthz" });
    expect(answer.status).toBe(200);
    await server.kill();
  },
);
