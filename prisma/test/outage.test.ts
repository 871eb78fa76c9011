import { once } from "node:events";
import { readFileSync, rmSync, mkdtempSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import {
  createDb,
  type Db,
  execute,
  isUnavailable,
  listen,
  notify,
  query,
  sql,
  sqlTransaction,
} from "../src/client.ts";
import { type Embedded, startEmbedded } from "../src/embedded.ts";
import { quietPort } from "./port.ts";

let home: string;
let server: Embedded;
let db: Db;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "marketday-outage-"));
  chmodSync(home, 0o755);
  server = await startEmbedded({ dataDir: join(home, "postgres"), port: await quietPort() });
  db = createDb({ url: server.url });
});
afterEach(async () => {
  await db.close();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

const one = () => query(db, sql`select 1 as one`);

/** Queries until the database responds again; throws the last error after a timeout. */
async function untilBack(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isUnavailable(error) || tries > 5_000) throw error;
    }
  }
}

test.each(["SIGINT", "SIGQUIT", "SIGKILL"] as const)(
  "outage: the process survives Postgres ending by %s, and works when it is back",
  { tags: ["fail:D1"] },
  async (signal) => {
    await Promise.all([one(), one(), db.$queryRaw`select 1`]);
    const pid = Number(readFileSync(join(server.dataDir, "postmaster.pid"), "utf8").split("\n")[0]);
    const begun = Promise.withResolvers<void>();
    const waiting = [
      sqlTransaction(db, async (tx) => {
        await query(tx, sql`select 1 as one`);
        begun.resolve();
        await query(tx, sql`select pg_sleep(60)`);
      }),
    ].map((work) =>
      work.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    await begun.promise;
    process.kill(pid, signal);
    for (const error of await Promise.all(waiting)) expect(isUnavailable(error)).toBe(true);
    await server.stop();
    expect(isUnavailable(await one().catch((error: unknown) => error))).toBe(true);

    server = await startEmbedded({ dataDir: join(home, "postgres"), port: Number(new URL(server.url).port) });
    await untilBack(one);
    await untilBack(() => db.$queryRaw`select 1`);
    expect(await one()).toStrictEqual([{ one: 1 }]);
  },
);

test("listener: receives the notifications of commits only, and listens again after an outage", async () => {
  const received: string[] = [];
  const bell = new EventTarget();
  const listener = listen(
    server.url,
    ["hubs"],
    (channel, payload) => {
      received.push(`${channel}:${payload}`);
      bell.dispatchEvent(new Event("received"));
    },
    { onReconnect: () => bell.dispatchEvent(new Event("back")) },
  );
  try {
    await listener.ready;
    let next = once(bell, "received");
    await sqlTransaction(db, async (tx) => {
      await notify(tx, "hubs", "never");
      throw new Error("no");
    }).catch(() => undefined);
    await sqlTransaction(db, (tx) => notify(tx, "hubs", "7"));
    await next;
    expect(received).toStrictEqual(["hubs:7"]);

    const back = once(bell, "back");
    await execute(
      db,
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'marketday listen'`,
    );
    await back;
    next = once(bell, "received");
    await notify(db, "hubs", "8");
    await next;
    expect(received).toStrictEqual(["hubs:7", "hubs:8"]);
  } finally {
    await listener.close();
  }
});

test("pool: closing waits for every connection, and errors of lost ones do not contain the connection", async () => {
  const errors: Error[] = [];
  const allReported = Promise.withResolvers<void>();
  const other = createDb({
    url: server.url,
    applicationName: "closing",
    onPoolError: (error) => {
      errors.push(error);
      if (errors.length === 3) allReported.resolve();
    },
  });
  await Promise.all([1, 2, 3].map((n) => query(other, sql`select ${n}::int as n, pg_sleep(0.05)`)));
  const connections = () =>
    query<{ pid: number }>(db, sql`select pid from pg_stat_activity where application_name = 'closing'`);
  expect(await connections()).toHaveLength(3);
  await execute(db, sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'closing'`);
  await allReported.promise;
  expect(errors.map((error) => "client" in error)).toStrictEqual([false, false, false]);
  await query(other, sql`select 1 as one`);
  await other.close();
  expect(errors).toHaveLength(3);
});
