import { expect, test } from "vitest";

import { readMigrations } from "../src/migration-files.ts";
import { createOldDatabase } from "./old-database.ts";

/** The last migration that may have read whole tables under an exclusive lock. */
const LAST = "20261126113000_revision_of_the_last_order";

/** Constraints, as `table.name`, that a migration adds to a table that was there before, so that Postgres reads all of it under an exclusive lock. */
function findBlocking(script: string): string[] {
  const made = new Set([...script.matchAll(/create table "?(\w+)"?/gi)].map(([, table]) => table));
  return script.split(";").flatMap((statement) => {
    const table = /alter table "?(\w+)"?/i.exec(statement)?.[1];
    if (!table || made.has(table)) return [];
    return statement
      .split(/(?=\badd constraint\b)/i)
      .filter((part) => /^add constraint "?\w+"? (check|foreign key)/i.test(part) && !/\bnot valid\b/i.test(part))
      .map((part) => `${table}.${/^add constraint "?(\w+)/i.exec(part)![1]!}`);
  });
}

test("constraints that migrations add to tables that were there: no table is read under an exclusive lock", async () => {
  const added = (await readMigrations()).filter(({ name }) => name > LAST);
  expect(added.length).toBeGreaterThan(0);
  expect(added.flatMap(({ script }) => findBlocking(script))).toEqual([]);
  expect(
    findBlocking("alter table orders add constraint a check (x > 0) not valid, add constraint b check (y > 0);"),
  ).toEqual(["orders.b"]);
});

test("constraints of an upgraded database: all of them are validated", async () => {
  const { client, upgrade } = await createOldDatabase();
  await upgrade();
  const { rows } = await client.query("select conname from pg_constraint where not convalidated");
  expect(rows).toEqual([]);
});
