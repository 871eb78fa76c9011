import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createDb, createReplica, type Db, execute, query, type Replica, sql } from "../src/client.ts";
import { type Streaming, startStreaming } from "./streaming.ts";

let pair: Streaming;
let db: Db;
let replica: Replica;
const errors: Error[] = [];

beforeAll(async () => {
  pair = await startStreaming(async (url) => {
    const primary = createDb({ url });
    await execute(primary, sql`create table egg (id int primary key)`);
    await primary.close();
  });
  db = createDb({ url: pair.primaryUrl });
  replica = createReplica({ url: pair.replicaUrl, onPoolError: (error) => errors.push(error) }, db);
});
afterAll(async () => {
  await replica.db.close();
  await db.close();
  await pair.stop();
});

/** The eggs, and which of the two servers counted them. */
const count = async () => {
  const [row] = await query<{ eggs: number; isReplica: boolean }>(
    replica.db,
    sql`select (select count(*)::int from egg) as eggs, pg_is_in_recovery() as "isReplica"`,
  );
  return row!;
};
const lay = (id: number) => execute(db, sql`insert into egg values (${id}::int)`);

describe("a read from a replica", () => {
  test("goes to the primary until a position is known, then to the replica", async () => {
    expect(await count()).toEqual({ eggs: 0, isReplica: false });
    await replica.noteChange();
    await expect.poll(count).toEqual({ eggs: 0, isReplica: true });
  });

  test("goes to the primary while the replica has not replayed a noted change", async () => {
    await pair.setReplaying(false);
    await lay(1);
    expect(await count()).toEqual({ eggs: 0, isReplica: true });
    const noted = replica.noteChange();
    expect(await count()).toEqual({ eggs: 1, isReplica: false });
    await noted;
    expect(await count()).toEqual({ eggs: 1, isReplica: false });
    await pair.setReplaying(true);
    await expect.poll(count).toEqual({ eggs: 1, isReplica: true });
  });

  test("goes to the primary while the replica is down, and to the replica some time after it is back", async () => {
    await pair.stopReplica();
    errors.length = 0;
    await lay(2);
    await replica.noteChange();
    expect(await count()).toEqual({ eggs: 2, isReplica: false });
    expect(errors).not.toEqual([]);
    await pair.startReplica();
    await expect.poll(count, { timeout: 30_000 }).toEqual({ eggs: 2, isReplica: true });
  });

  test("that fails on the replica fails", async () => {
    await expect(query(replica.db, sql`select 1 / 0`)).rejects.toThrow("division by zero");
    await expect(execute(replica.db, sql`insert into egg values (9)`)).rejects.toThrow("read-only");
  });
});
