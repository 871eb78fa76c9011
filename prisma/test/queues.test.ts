import { afterEach, beforeEach, describe, expect, test } from "vitest";

import {
  type AnyTx,
  createDb,
  type Db,
  enqueued,
  execute,
  inTransaction,
  type JobOf,
  openQueues,
  pauses,
  query,
  sql,
  sqlTransaction,
  transaction,
  waits,
} from "../src/client.ts";
import { migrate, MigrateError } from "../src/migrate.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await createTestDatabase();
  db = createDb({ url: database.url });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const hand = (...ids: number[]) => enqueued("mail", sql`select unnest(${ids}::int[]) as id`);
const taken = async (): Promise<number | undefined> => (await openQueues(db).fetch<JobOf>("mail"))[0]?.data.id;
const isThere = async (condition: typeof waits, id: number) =>
  (await query<{ yes: boolean }>(db, sql`select ${condition("mail", sql`${id}::int`)} as yes`))[0]?.yes;

describe("queue", () => {
  test("a job is enqueued with the commit of its transaction, or not at all", async () => {
    const failing = sqlTransaction(db, async (tx) => {
      await execute(tx, hand(1));
      throw new Error("the order was not placed");
    });
    await expect(failing).rejects.toThrow("the order was not placed");
    expect(await taken()).toBeUndefined();
    await sqlTransaction(db, async (tx) => {
      await execute(tx, hand(2));
      expect(await taken()).toBeUndefined();
    });
    expect([await taken(), await taken()]).toEqual([2, undefined]);
  });

  test("a row has at most one waiting or running job, and a new one when it is done", async () => {
    const queues = openQueues(db);
    expect([await execute(db, hand(7)), await execute(db, hand(7))]).toEqual([1, 0]);
    const [job] = await queues.fetch<JobOf>("mail");
    expect([await execute(db, hand(7)), await isThere(waits, 7), await isThere(waits, 8)]).toEqual([0, true, false]);
    await queues.complete("mail", job!);
    expect([await isThere(waits, 7), await execute(db, hand(7))]).toEqual([false, 1]);
  });

  test("a failed job is known to wait for its next try", async () => {
    const queues = openQueues(db);
    await execute(db, hand(7));
    expect(await isThere(pauses, 7)).toBe(false);
    const [job] = await queues.fetch<JobOf>("mail");
    await queues.fail("mail", job!);
    expect([await isThere(waits, 7), await isThere(pauses, 7), await taken()]).toEqual([true, true, undefined]);
  });

  test("a job is settled only by its current holder: a slow sender does not change a later try", async () => {
    const queues = openQueues(db);
    await execute(db, hand(7));
    const [slow] = await queues.fetch<JobOf>("mail");
    await queues.fail("mail", slow!);
    await execute(db, sql`update pgboss.job set start_after = now()`);
    const [second] = await queues.fetch<JobOf>("mail");
    expect(await queues.complete("mail", slow!)).toMatchObject({ affected: 0 });
    expect(await queues.complete("mail", second!)).toMatchObject({ affected: 1 });
  });
});

describe.each([
  ["SQL by hand", sqlTransaction],
  ["Prisma's client", transaction],
] as const)("a call within a transaction of %s", (_name, run) => {
  test("jobs are completed, failed and delayed with its commit, or not at all", async () => {
    const queues = openQueues(db);
    await execute(db, hand(1));
    await execute(db, hand(2));
    const [first] = await queues.fetch<JobOf>("mail");
    const [second] = await queues.fetch<JobOf>("mail");
    const settle = async (tx: AnyTx) => {
      const within = inTransaction(tx);
      const { affected } = await queues.complete("mail", first!, undefined, within);
      await queues.fail("mail", second!, { message: "no answer" }, within);
      await queues.update("mail", undefined, { id: second!.id, startAfter: 0, ...within });
      return affected;
    };
    const failing = run(db, async (tx) => {
      await settle(tx);
      throw new Error("the row was not written");
    });
    await expect(failing).rejects.toThrow("the row was not written");
    expect([await isThere(waits, 1), await isThere(pauses, 2), await taken()]).toEqual([true, false, undefined]);

    expect(await run(db, settle)).toBe(1);
    expect([await isThere(waits, 1), await isThere(waits, 2), await taken()]).toEqual([false, true, 2]);
    expect(await queues.complete("mail", first!)).toMatchObject({ affected: 0 });
  });
});

describe("the queues' tables", () => {
  test("tables of a newer version are rejected in one sentence", async () => {
    await execute(db, sql`update pgboss.version set version = 9000`);
    const failing = migrate({ url: database.url });
    await expect(failing).rejects.toBeInstanceOf(MigrateError);
    await expect(failing).rejects.toThrow(/the queues are those of a newer version \(9000, this one knows \d+\)\.$/);
  });
});
