import { PassThrough, type Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { expect, test } from "vitest";

import {
  copyBytesIn,
  copyIn,
  copyOut,
  type CopyValue,
  createDb,
  type Db,
  execute,
  query,
  queryOne,
  sql,
  sqlTransaction,
} from "../src/client.ts";
import { atEnd, createTestDatabase } from "./database.ts";

/** Without time limits, as restores and backups use it. */
async function createLongDb(): Promise<Db> {
  const { url } = await createTestDatabase({ empty: true });
  const db = createDb({ url, poolSize: 1, statementTimeoutMs: 0 });
  atEnd(() => db.close());
  return db;
}

const pidOf = async (db: Db): Promise<number> =>
  (await queryOne<{ pid: number }>(db, sql`select pg_backend_pid() as pid`))!.pid;

/** 30 MB, more than the buffers of the sockets and streams between two databases hold. */
const large = "(select n, repeat('x', 1000) from generate_series(1, 30000) n)";

const failures: [name: string, error: object, write: (rows: Readable) => Promise<unknown>][] = [
  [
    "another database refuses a row",
    { code: "23514" },
    async (rows) => {
      const db = await createLongDb();
      await execute(db, sql`create table pot (id int check (id < 2000), label text)`);
      return sqlTransaction(db, (tx) => copyBytesIn(tx, "pot (id, label)", rows));
    },
  ],
  [
    "the disk is full",
    { code: "ENOSPC" },
    (rows) =>
      pipeline(
        rows,
        new Writable({ write: (_part, _encoding, done) => done(Object.assign(new Error("full"), { code: "ENOSPC" })) }),
      ),
  ],
  [
    "the work is interrupted",
    { name: "AbortError" },
    (rows) => {
      const stop = new AbortController();
      rows.once("data", () => stop.abort());
      return pipeline(rows, new PassThrough(), { signal: stop.signal });
    },
  ],
];

test.each(failures)(
  "copyOut: when %s in the middle of a large table, the transaction throws that error and its connection is replaced",
  async (_name, error, write) => {
    const db = await createLongDb();
    const pid = await pidOf(db);
    await expect(sqlTransaction(db, (tx) => write(copyOut(tx, large)), { retries: 0 })).rejects.toMatchObject(error);
    expect(await pidOf(db)).not.toBe(pid);
  },
);

test("copyOut: a statement that fails while it is copied throws its error, and a table that is read to its end leaves the connection in use", async () => {
  const db = await createLongDb();
  const pid = await pidOf(db);
  const copied = (source: string) =>
    sqlTransaction(
      db,
      async (tx) => {
        let bytes = 0;
        for await (const part of copyOut(tx, source)) bytes += (part as Buffer).length;
        return [bytes, await query(tx, sql`select 1 as one`)];
      },
      { retries: 0 },
    );
  await expect(copied("(select 1 / (20000 - n) from generate_series(1, 30000) n)")).rejects.toMatchObject({
    code: "22012",
  });
  expect(await pidOf(db)).toBe(pid);
  expect(await copied("(select repeat('x', 999) from generate_series(1, 1000))")).toEqual([1_000_000, [{ one: 1 }]]);
  expect(await pidOf(db)).toBe(pid);
});

test("copyIn: every value arrives as it was given, in any number of chunks, and no rows are none", async () => {
  const db = await createLongDb();
  await execute(db, sql`create table pot (label text, eggs int, is_full boolean, tags text[])`);
  const rows: CopyValue[][] = [
    ["a\tb\nc\rd\\N", 0, true, ['say "hi"', "back\\slash", "comma, brace}", ""]],
    ["", -7, false, []],
    [null, null, null, null],
    ...Array.from({ length: 200 }, (_, n): CopyValue[] => ["x".repeat(1000), n, n % 2 === 0, [`tag ${n}`]]),
  ];
  // oxlint-disable-next-line typescript/require-await -- rows of a file come one after the other
  const copied = async function* (some: CopyValue[][]) {
    yield* some;
  };
  const target = "pot (label, eggs, is_full, tags)";
  expect(await sqlTransaction(db, (tx) => copyIn(tx, target, copied(rows)))).toBe(rows.length);
  expect(await sqlTransaction(db, (tx) => copyIn(tx, target, copied([])))).toBe(0);
  const stored = await query(db, sql`select label, eggs, is_full, tags from pot`);
  expect(stored.map((row) => [row["label"], row["eggs"], row["is_full"], row["tags"]])).toEqual(rows);
});
