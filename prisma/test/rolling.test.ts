import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { migrate } from "../src/migrate.ts";
import { BASELINE, migrationsDir, oldMigrationsDir, readMigrations } from "../src/migration-files.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

/** A column: its type, and whether a row must contain it. */
type Column = { type: string; required: boolean };
type Tables = Map<string, Map<string, Column>>;

async function tablesOf(client: pg.Client): Promise<Tables> {
  const { rows } = await client.query<{ table: string; column: string; type: string; required: boolean }>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' and a.attgenerated = '' as required
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> '_prisma_migrations'`,
  );
  const tables: Tables = new Map();
  for (const { table, column, type, required } of rows)
    tables.set(table, (tables.get(table) ?? new Map<string, Column>()).set(column, { type, required }));
  return tables;
}

/** What code for `before` can no longer do on `after`: read a column, or write a row without a new one. */
function breaksOf(before: Tables, after: Tables): string[] {
  const breaks: string[] = [];
  for (const [table, columns] of before) {
    const now = after.get(table);
    if (!now) {
      breaks.push(`${table} is gone`);
      continue;
    }
    for (const [name, { type, required }] of columns) {
      const column = now.get(name);
      if (!column) breaks.push(`${table}.${name} is gone`);
      else if (column.type !== type) breaks.push(`${table}.${name} is ${column.type}, it was ${type}`);
      else if (column.required && !required) breaks.push(`${table}.${name} must be given now`);
    }
    for (const [name, { required }] of now)
      if (required && !columns.has(name)) breaks.push(`${table}.${name} is new and must be given`);
  }
  return breaks.toSorted();
}

let database: TestDatabase;
let client: pg.Client;
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "marketday-rolling-"));
  database = await createTestDatabase({ empty: true });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(dir, { recursive: true, force: true });
});

describe("servers of the version before go on while a new one has migrated", { tags: ["fail:D12"] }, () => {
  /** From before the first release, when no deploy rolled. Nothing is added after it. */
  const BEFORE_THE_FIRST_RELEASE = {
    "20261121191512_inbox_and_contact": [
      "answer_link.created_at is new and must be given",
      "answer_link.id is new and must be given",
      "answer_link.token_hash is gone",
    ],
    "20261121193309_refunds_and_stripe": [
      "refund.destination is new and must be given",
      "refund.kind is new and must be given",
    ],
  };

  /** Tables and columns that the version before neither reads nor writes. */
  const UNUSED_BY_THE_VERSION_BEFORE = {
    "20261124220500_plain_names": ["identify_event.next_at is gone", "job_claim is gone"],
  };

  test("migrations: none removes or requires a column that the version before does not know", async () => {
    const broken: Record<string, string[]> = {};
    const steps: string[] = [];
    let before: Tables = new Map();
    for (const folder of [oldMigrationsDir, migrationsDir])
      for (const { name } of await readMigrations(folder)) if (name !== BASELINE) steps.push(join(folder, name));
    for (const step of steps) {
      const name = basename(step);
      await cp(step, join(dir, name), { recursive: true });
      await migrate({ url: database.url, dir });
      const after = await tablesOf(client);
      const breaks = breaksOf(before, after);
      if (breaks.length > 0) broken[name] = breaks;
      before = after;
    }
    expect(before.size).toBeGreaterThan(50);
    expect(broken).toEqual({ ...BEFORE_THE_FIRST_RELEASE, ...UNUSED_BY_THE_VERSION_BEFORE });
  });

  test.each([
    ["alter table pot drop column eggs", ["pot.eggs is gone"]],
    ["alter table pot rename column eggs to units", ["pot.eggs is gone"]],
    ["alter table pot rename to jar", ["pot is gone"]],
    ["alter table pot alter column eggs type bigint", ["pot.eggs is bigint, it was integer"]],
    ["alter table pot alter column label set not null", ["pot.label must be given now"]],
    ["alter table pot add column lid text not null", ["pot.lid is new and must be given"]],
    ["alter table pot add column lid text not null default 'none'; alter table pot add column size int", []],
  ])("breaksOf: %s", async (change, breaks) => {
    await client.query("create table pot (id int generated always as identity, eggs int, label text)");
    const before = await tablesOf(client);
    await client.query(change);
    expect(breaksOf(before, await tablesOf(client))).toEqual(breaks);
  });
});
