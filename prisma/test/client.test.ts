import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import {
  type AnyTx,
  type Conn,
  countStatements,
  createDb,
  type Db,
  execute,
  isUniqueViolation,
  isRolledBack,
  isUnavailable,
  PoolExhausted,
  query,
  queryOne,
  raw,
  savepoint,
  setRowChecking,
  sql,
  sqlState,
  type Sql,
  sqlTransaction,
  transaction,
} from "../src/client.ts";
import { createTestDatabase, size, type TestDatabase } from "./database.ts";

let database: TestDatabase;
/** Its timeouts are longer, for a busy machine; `usual` has those of production. */
let db: Db;
let usual: Db;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  db = createDb({ url: database.url });
  usual = createDb({ url: database.url, timeoutFactor: 1 });
  await execute(
    db,
    sql`create table pot (id int primary key, eggs int not null check (eggs >= 0), label text constraint pot_label_key unique)`,
  );
});
afterAll(async () => {
  await db.close();
  await usual.close();
  await database.drop();
});

/** The retries of a transaction do not time out on a busy machine. */
const PATIENTLY = { budgetMs: 120_000 };
type Run<Where> = <T>(work: (conn: Where) => Promise<T>, on?: Db) => Promise<T>;
const kinds: [name: string, run: Run<AnyTx>][] = [
  ["a transaction of SQL by hand", (work, on = db) => sqlTransaction(on, work, PATIENTLY)],
  ["a transaction of Prisma's client", (work, on = db) => transaction(on, work, PATIENTLY)],
];
/** Every way to run a statement. */
const ways: [name: string, run: Run<Conn>][] = [["the database", (work, on = db) => work(on)], ...kinds];

const everyType: Sql = sql`select
  '2026-03-08T07:59:59.123Z'::timestamptz as instant, '2026-03-08'::date::text as day, 2147483647::int4 as int,
  9007199254740991::int8 as big, sum(v)::numeric as total, 0.25::float8 as rate, true as yes, null::text as nothing,
  '{"a":[1,null]}'::jsonb as data, '[1,2]'::json as list, array['a','b,c']::text[] as words, array[1,2]::int4[] as ints,
  array[3]::int8[] as bigs, array['2026-03-08'::date]::text[] as days, array['2026-03-08T08:00:00Z'::timestamptz] as instants,
  '5f0c0f5e-6d0c-4f0e-9a52-0d9d2a9f7f10'::uuid as id from (values (1::int8), (2)) as numbers (v)`;

describe.each(ways)("on %s", (_name, run) => {
  test("query: every Postgres type has one JavaScript type", async () => {
    expect(await run((conn) => query(conn, everyType))).toStrictEqual([
      {
        instant: new Date("2026-03-08T07:59:59.123Z"),
        day: "2026-03-08",
        int: 2_147_483_647,
        big: Number.MAX_SAFE_INTEGER,
        total: 3,
        rate: 0.25,
        yes: true,
        nothing: null,
        data: { a: [1, null] },
        list: [1, 2],
        words: ["a", "b,c"],
        ints: [1, 2],
        bigs: [3],
        days: ["2026-03-08"],
        instants: [new Date("2026-03-08T08:00:00Z")],
        id: "5f0c0f5e-6d0c-4f0e-9a52-0d9d2a9f7f10",
      },
    ]);
  });

  test("query: a number beyond 2^53 is rejected, not rounded", async () => {
    await expect(run((conn) => query(conn, sql`select 9007199254740993::int8 as big`))).rejects.toThrow(/does not fit/);
    await expect(run((conn) => query(conn, sql`select 1e30::numeric as sum`))).rejects.toThrow(/does not fit/);
  });

  test("query: parameters keep their values", async () => {
    const at = new Date("2026-11-01T06:30:00.250Z");
    const row = await run((conn) =>
      queryOne(
        conn,
        sql`select ${at}::timestamptz as at, ${["x", "y"]}::text[] as words, ${[1, 2]}::int[] as ints,
        ${{ a: 1 }}::jsonb as data, ${null}::int as nothing, ${"2026-11-01"}::date::text as day, ${5n}::int8 as five`,
      ),
    );
    expect(row).toStrictEqual({
      at,
      words: ["x", "y"],
      ints: [1, 2],
      data: { a: 1 },
      nothing: null,
      day: "2026-11-01",
      five: 5,
    });
    await expect(run((conn) => query(conn, sql`select ${undefined as never}::int as x`))).rejects.toThrow(/undefined/);
  });

  test("query: an error has its code and constraint, and rolls back its work", async () => {
    await execute(db, sql`delete from pot`);
    const twice = run(async (conn) => {
      await execute(conn, sql`insert into pot values (1, 1, 'blue')`);
      await execute(conn, sql`insert into pot values (2, 1, 'blue')`);
    });
    const error: unknown = await twice.catch((reason: unknown) => reason);
    expect(sqlState(error)).toBe("23505");
    expect(isUniqueViolation(error, "pot_label_key")).toBe(true);
    expect(isUniqueViolation(error, "pot_pkey")).toBe(false);
    expect(isUnavailable(error)).toBe(false);
  });

  test("query: the session has timeouts and is in UTC", async () => {
    const names = [
      "TimeZone",
      "lock_timeout",
      "statement_timeout",
      "idle_in_transaction_session_timeout",
      "transaction_isolation",
    ];
    const rows = await run(
      (conn) =>
        query<{ value: string }>(
          conn,
          sql`select current_setting(name) as value from unnest(${names}::text[]) as name`,
        ),
      usual,
    );
    expect(rows.map((row) => row.value)).toStrictEqual(["UTC", "2s", "4s", "10s", "read committed"]);
  });
});

test.each(ways.slice(0, 2))("query: a date is YYYY-MM-DD on %s", async (_name, run) => {
  const days = sql`select '2026-03-08'::date as day, array['2026-03-08'::date] as days`;
  expect(await run((conn) => query(conn, days))).toStrictEqual([{ day: "2026-03-08", days: ["2026-03-08"] }]);
});

describe.each(kinds)("%s", (_name, run) => {
  test("transaction: commits all or nothing", async () => {
    await execute(db, sql`delete from pot`);
    await expect(
      run(async (conn) => {
        await execute(conn, sql`insert into pot values (1, 1, null)`);
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    expect(await query(db, sql`select * from pot`)).toStrictEqual([]);
  });

  test("transaction: throws when a failed statement in it was swallowed", async () => {
    await execute(db, sql`delete from pot`);
    await expect(
      run(async (conn) => {
        await execute(conn, sql`insert into pot values (1, 1, null)`);
        await execute(conn, sql`insert into pot values (1, 1, null)`).catch(() => undefined);
      }),
    ).rejects.toThrow(/rolled back/);
    expect(await query(db, sql`select * from pot`)).toStrictEqual([]);
  });

  test("transaction: rejects a statement after its end", async () => {
    let late: Conn | undefined;
    await run(async (conn) => {
      late = conn;
      await query(conn, sql`select 1 as one`);
    });
    await expect(query(late as Conn, sql`select 1 as one`)).rejects.toThrow(/after the end|already closed/);
  });

  test("transaction: runs again after a deadlock", { tags: ["fail:D4"] }, async () => {
    await execute(db, sql`delete from pot`);
    await execute(db, sql`insert into pot values (1, 100, null), (2, 100, null)`);
    let tries = 0;
    const met = Promise.withResolvers<void>();
    let waiting = 0;
    const cross = async (first: number, second: number) =>
      run(async (conn) => {
        tries += 1;
        await execute(conn, sql`update pot set eggs = eggs - 1 where id = ${first}`);
        waiting += 1;
        if (waiting === 2) met.resolve();
        await met.promise;
        await execute(conn, sql`update pot set eggs = eggs - 1 where id = ${second}`);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(tries).toBeGreaterThan(2);
    expect(await query(db, sql`select id, eggs from pot order by id`)).toStrictEqual([
      { id: 1, eggs: 98 },
      { id: 2, eggs: 98 },
    ]);
  });

  test.each(["40001", "40P01"])(
    "transaction: retries %s five times and then throws",
    { tags: ["fail:D4"] },
    async (code) => {
      let tries = 0;
      const error: unknown = await run(async (conn) => {
        tries += 1;
        await execute(conn, raw(`do $$ begin raise exception 'again' using errcode = '${code}'; end $$`));
      }).catch((reason: unknown) => reason);
      expect(sqlState(error)).toBe(code);
      expect(tries).toBe(6);
    },
  );

  test("savepoint: a refused part is undone and its error is thrown, and the transaction goes on", async () => {
    await execute(db, sql`delete from pot`);
    const put = (tx: Conn, id: number) => execute(tx, sql`insert into pot values (${id}::int, 1, null)`);
    await run(async (tx) => {
      await put(tx, 1);
      const refused = savepoint(tx, async () => {
        await put(tx, 2);
        await savepoint(tx, () => put(tx, 3));
        await put(tx, 1);
      });
      await expect(refused).rejects.toSatisfy((error) => isUniqueViolation(error));
      expect(await savepoint(tx, () => put(tx, 4))).toBe(1);
    });
    expect(await query(db, sql`select id from pot order by id`)).toStrictEqual([{ id: 1 }, { id: 4 }]);
  });

  test("transaction: concurrent decrements do not go below zero", async () => {
    await execute(db, sql`delete from pot`);
    await execute(db, sql`insert into pot values (1, 10, null)`);
    const answers = await Promise.all(
      Array.from({ length: size(50, 200) }, () =>
        run((conn) => execute(conn, sql`update pot set eggs = eggs - 1 where id = 1 and eggs >= 1`)),
      ),
    );
    expect(answers.filter((touched) => touched === 1)).toHaveLength(10);
    expect(await queryOne(db, sql`select eggs from pot`)).toStrictEqual({ eggs: 0 });
  });
});

test("query: a row that does not match its schema fails, column by column, while checking is on", async () => {
  const row = z.object({ one: z.int() });
  expect(await query(db, sql`select 1 as one`, row)).toStrictEqual([{ one: 1 }]);
  await expect(query(db, sql`select 'x' as one`, row)).rejects.toThrow(/one/);
  await expect(query(db, sql`select 1 as one, 2 as two`, row)).rejects.toThrow(/two/);
  setRowChecking(false);
  try {
    expect(await query(db, sql`select 1 as one, 2 as two`, row)).toStrictEqual([{ one: 1, two: 2 }]);
  } finally {
    setRowChecking(true);
  }
});

test("queryOne: one row is returned, none is null, and two are an error", async () => {
  const numbers = (least: number) => sql`select n from generate_series(${least}::int, 2) n`;
  expect([await queryOne(db, numbers(2)), await queryOne(db, numbers(3))]).toEqual([{ n: 2 }, null]);
  await expect(queryOne(db, numbers(1))).rejects.toThrow("A statement for one row answered 2");
});

test("countStatements: counts statements, without BEGIN and COMMIT", async () => {
  const counting = countStatements(db);
  await query(db, sql`select 1 as one`);
  await sqlTransaction(db, (tx) => query(tx, sql`select 2 as two`));
  await db.$queryRaw`select 3 as three`;
  expect(counting.stop()).toStrictEqual(["select 1 as one", "select 2 as two", "select 3 as three"]);
  await query(db, sql`select 5 as five`);
  expect(counting.stop()).toHaveLength(3);
});

test("query: a repeated statement is prepared once per connection", async () => {
  // A process names a limited number of statements; fresh modules have named none.
  vi.resetModules();
  const { createDb, query, sql } = await import("../src/client.ts");
  const single = createDb({ url: database.url, poolSize: 1 });
  try {
    for (const id of [1, 2, 3]) await query(single, sql`select ${id}::int as prepared_probe`);
    const [row] = await query<{ times: number }>(
      single,
      sql`select count(*) as times from pg_prepared_statements where statement like '%prepared_probe' and statement not like '%count%'`,
    );
    expect(row).toStrictEqual({ times: 1 });
  } finally {
    await single.close();
  }
});

test("query: a statement that exceeds its timeout is ended, and the connection still works", async () => {
  const hasty = createDb({ url: database.url, poolSize: 1, statementTimeoutMs: 200 });
  try {
    const error: unknown = await query(hasty, sql`select pg_sleep(60)`).catch((reason: unknown) => reason);
    expect(sqlState(error)).toBe("57014");
    expect(isUnavailable(error)).toBe(true);
    expect(await query(hasty, sql`select 1 as one`)).toStrictEqual([{ one: 1 }]);
  } finally {
    await hasty.close();
  }
});

test.each(["40001", "40P01"])(
  "transaction: a conflict (%s) that outlasts its retries counts as unavailable",
  (code) => {
    expect(isUnavailable({ code })).toBe(true);
  },
);

test.each<[code: string, isRetried: boolean]>([
  ["08006", true],
  ["53300", true],
  ["57014", true],
  ["57P01", true],
  ["57P03", true],
  ["55P03", true],
  ["25P03", true],
  ["ECONNREFUSED", true],
  ["EPIPE", true],
  ["P1001", true],
  ["P2024", true],
  ["P2034", true],
  ["23505", false],
  ["23514", false],
  ["42501", false],
  ["P2002", false],
  ["MD001", false],
])("error %s: the database is unavailable, so that the request may be sent again: %s", (code, isRetried) => {
  expect(isUnavailable({ code })).toBe(isRetried);
});

test.each<[error: string | { message: string }, isCertain: boolean]>([
  ["57P01", true],
  ["55P03", true],
  ["40P01", true],
  ["ECONNREFUSED", true],
  ["P1001", true],
  ["08006", false],
  ["ECONNRESET", false],
  ["P1017", false],
  [{ message: "timeout exceeded when trying to connect" }, true],
  [{ message: "Connection terminated unexpectedly" }, false],
  [{ message: "Query read timeout" }, false],
])("error %s: whether the transaction was certainly not committed: %s", (error, isCertain) => {
  expect(isRolledBack(typeof error === "string" ? { code: error } : error)).toBe(isCertain);
});

test(
  "transaction: one that was left open is ended by Postgres and releases its locks",
  { tags: ["fail:D8"] },
  async () => {
    const db = createDb({ url: database.url, timeoutFactor: 1 });
    try {
      const left = await sqlTransaction(db, async (tx) => {
        await query(tx, sql`select pg_advisory_xact_lock(4711)`);
        // The session is idle: after ten seconds Postgres ends it.
        const lock = sql`select pg_advisory_lock(4711)`;
        const patient = createDb({ url: database.url, statementTimeoutMs: 0, poolSize: 1 });
        await execute(patient, sql`set lock_timeout = 0`);
        await query(patient, lock);
        await patient.close();
        return query(tx, sql`select 1 as one`);
      }).catch((reason: unknown) => reason);
      expect(isUnavailable(left)).toBe(true);
      expect(await query(db, sql`select 1 as one`)).toStrictEqual([{ one: 1 }]);
    } finally {
      await db.close();
    }
  },
);

test("pool: a caller that finds no free connection in time gets PoolExhausted, which counts as unavailable", async () => {
  const small = createDb({ url: database.url, poolSize: 1, timeoutFactor: 0.05 });
  // The one connection, which a busy machine may not make in this short time.
  await vi.waitFor(() => query(small, sql`select 1 as one`), { timeout: 60_000 });
  const release = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const holder = sqlTransaction(small, async () => {
    taken.resolve();
    await release.promise;
  });
  try {
    await Promise.race([taken.promise, holder]);
    const error = await query(small, sql`select 1 as one`).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(PoolExhausted);
    expect(isUnavailable(error)).toBe(true);
    release.resolve();
    await holder;
    expect(await query(small, sql`select 1 as one`)).toStrictEqual([{ one: 1 }]);
  } finally {
    release.resolve();
    await holder.catch(() => undefined);
    await small.close();
  }
});
