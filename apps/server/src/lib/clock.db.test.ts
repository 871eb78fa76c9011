import { createDb, execute, query, sql, transaction } from "@marketday/db";
import { createTestDatabase } from "@marketday/db/testing";
import { afterAll, expect, test } from "vitest";

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
const url = new URL(database.url);
const shifted = `${url.href}${url.search === "" ? "?" : "&"}options=${encodeURIComponent("-c search_path=fake,pg_catalog,public")}`;
const moveBy = (seconds: number) =>
  execute(admin, sql`update fake.shift set by = make_interval(secs => ${seconds}::float8)`);

test("clock: a pool that lets the first measurement wait does not shift the time", async () => {
  const db = createDb({ url: database.url, poolSize: 1 });
  const free = createDb({ url: database.url, poolSize: 1 });
  try {
    const busy = transaction(db, (tx) => query(tx, sql`select pg_sleep(0.8)::text as slept`));
    const [waited, undelayed] = await Promise.all([databaseClock(db), databaseClock(free)]);
    await busy;
    waited.stop();
    undelayed.stop();
    expect(Math.abs(waited.offset() - undelayed.offset())).toBeLessThan(150);
  } finally {
    await db.close();
    await free.close();
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
  const db = createDb({ url: shifted });
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
