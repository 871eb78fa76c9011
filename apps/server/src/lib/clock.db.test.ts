import { createDb, execute, query, sql, sqlTransaction } from "@marketday/db";
import { createTestDatabase } from "@marketday/db/testing";
import { afterAll, expect, test, vi } from "vitest";

import { combine, databaseClock } from "./clock.ts";

const database = await createTestDatabase();
const admin = createDb({ url: database.url });
afterAll(async () => {
  await admin.close();
  await database.drop();
});

/** `clock_timestamp()` of this file's connections, with a shift that tests set. */
await execute(admin, sql`create schema fake`);
await execute(admin, sql`create table fake.shift as select interval '0' as by`);
await execute(
  admin,
  sql`create function fake.clock_timestamp() returns timestamptz language sql volatile as 'select pg_catalog.clock_timestamp() + (select by from fake.shift)'`,
);
/** `clock_timestamp()` of a database whose clock stands still. */
const STOPPED_AT = new Date("2026-11-24T12:00:00Z");
await execute(admin, sql`create schema stopped`);
await execute(
  admin,
  sql`create function stopped.clock_timestamp() returns timestamptz language sql volatile as $$ select timestamptz '2026-11-24T12:00:00Z' $$`,
);
/** The address of the database for connections that find `clock_timestamp()` in this schema. */
const connectIn = (schema: "fake" | "stopped") => {
  const url = new URL(database.url);
  return `${url.href}${url.search === "" ? "?" : "&"}options=${encodeURIComponent(`-c search_path=${schema},pg_catalog,public`)}`;
};
const moveBy = (seconds: number) =>
  execute(admin, sql`update fake.shift set by = make_interval(secs => ${seconds}::float8)`);

test("clock: a pool that lets the first measurement wait does not shift the time", async () => {
  const db = createDb({ url: connectIn("stopped"), poolSize: 1 });
  // This machine's clocks stand still except for the minute of the wait, and the database's clock stands still.
  vi.useFakeTimers({ toFake: ["performance", "Date"], now: new Date("2026-11-23T00:00:00Z") });
  try {
    const [started, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const busy = sqlTransaction(db, () => (started.resolve(), waited.promise));
    await started.promise;
    const measured = databaseClock(db);
    vi.advanceTimersByTime(60_000);
    waited.resolve();
    await busy;
    const clock = await measured;
    clock.stop();
    expect(clock.now()).toEqual(STOPPED_AT);
  } finally {
    vi.useRealTimers();
    await db.close();
  }
});

test("clock: a measurement with a long round trip changes the offset only as far as it contradicts it", () => {
  const good = { offset: 100, error: 1 };
  expect(combine(good, { offset: 103, error: 2 })).toEqual({ offset: 103, error: 2 });
  // A round trip of a second, and the database's clock may have been read at any moment of it: 100 is possible.
  expect(combine(good, { offset: 600, error: 500 }).offset).toBe(100);
  expect(combine(good, { offset: -400, error: 500 }).offset).toBe(100);
  // The database's clock was changed: the nearest offset that agrees with the measurement.
  expect(combine(good, { offset: 5600, error: 500 }).offset).toBe(5100);
  expect(combine(good, { offset: -5400, error: 500 }).offset).toBe(-4900);
});

test("clock: the database's time is set back and forward: now never steps back and follows", async () => {
  const db = createDb({ url: connectIn("fake") });
  const clock = await databaseClock(db, 10);
  try {
    let last = clock.now().getTime();
    const start = last;
    const follow = async (isReached: () => boolean) => {
      while (!isReached()) {
        const now = clock.now().getTime();
        expect(now).toBeGreaterThanOrEqual(last);
        last = now;
        await query(db, sql`select 1 as one`);
      }
    };
    const offset = clock.offset();
    await moveBy(-2);
    await follow(() => clock.offset() < offset - 1500);
    // `now` stays the same until the database's time has caught up, and then advances.
    const stopped = clock.now().getTime();
    await follow(() => clock.now().getTime() > stopped);
    await moveBy(60);
    await follow(() => clock.now().getTime() > start + 59_000);
  } finally {
    clock.stop();
    await db.close();
  }
});
