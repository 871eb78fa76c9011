import { execFile } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";

import { migrate, MigrateError } from "../src/migrate.ts";
import { newMigration } from "../src/new-migration.ts";
import type { SchemaFiles } from "../src/schema-engine.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

const header = 'datasource db {\n  provider = "postgresql"\n}\n';
const first: SchemaFiles = [["schema.prisma", `${header}model pot {\n  id Int @id\n  eggs Int\n}\n`]];
const second: SchemaFiles = [
  ["schema.prisma", `${header}model pot {\n  id Int @id\n  eggs Int\n  label String @default("none; really")\n}\n`],
];
/** Semicolons inside a function, a comment and a text, which break a script that is split at semicolons. */
const byHand = `alter table pot add constraint pot_eggs_check check (eggs >= 0); -- a comment; with one
create function no_delete() returns trigger language plpgsql as $$
begin
  raise exception 'pots stay; always';
  return null;
end $$;
create trigger pot_stays before delete on pot for each row execute function no_delete();`;

let dir: string;
let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "marketday-migrations-"));
  database = await createTestDatabase({ empty: true });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(dir, { recursive: true, force: true });
});

const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 10, minute));
const write = (schema: SchemaFiles, name: string, minute: number) =>
  newMigration({ name, now: at(minute), url: database.url, dir, schema });
/** The migration `write` makes first, with SQL by hand below. */
async function writeFirst(): Promise<string> {
  const folder = (await write(first, "start", 0))!;
  await appendFile(join(dir, folder, "migration.sql"), byHand);
  return folder;
}
const recorded = async () =>
  (
    await client.query(
      "select migration_name, finished_at is not null as finished, rolled_back_at is not null as rolled_back from _prisma_migrations order by started_at",
    )
  ).rows;

test("new migration: the first is the datamodel, the next the difference, and what is written by hand stays", async () => {
  expect(await write(first, "Start here!", 0)).toBe("20260131100000_start_here");
  await appendFile(
    join(dir, "20260131100000_start_here/migration.sql"),
    `${byHand}\ncreate index pot_eggs_few on pot (eggs) where eggs < 3;\n`,
  );
  expect(await write(first, "nothing new", 1)).toBeUndefined();
  expect(await write(second, "labels", 2)).toBe("20260131100200_labels");
  const script = await readFile(join(dir, "20260131100200_labels/migration.sql"), "utf8");
  expect(script).toContain('ADD COLUMN     "label"');
  expect(script).not.toMatch(/no_delete|pot_eggs/);
  expect((await readdir(dir)).toSorted()).toStrictEqual([
    "20260131100000_start_here",
    "20260131100200_labels",
    "migration_lock.toml",
  ]);
});

test("migrate: migrations are applied once, with functions and triggers, and recorded as Prisma does", async () => {
  await writeFirst();
  await write(second, "labels", 1);
  expect(await migrate({ url: database.url, dir })).toStrictEqual({
    applied: ["20260131100000_start", "20260131100100_labels"],
  });
  expect(await migrate({ url: database.url, dir })).toStrictEqual({ applied: [] });
  expect(await recorded()).toStrictEqual([
    { migration_name: "20260131100000_start", finished: true, rolled_back: false },
    { migration_name: "20260131100100_labels", finished: true, rolled_back: false },
  ]);
  await client.query("insert into pot values (1, 2)");
  expect((await client.query("select * from pot")).rows).toStrictEqual([{ id: 1, eggs: 2, label: "none; really" }]);
  await expect(client.query("delete from pot")).rejects.toThrow("pots stay; always");
  await expect(client.query("insert into pot values (2, -1)")).rejects.toThrow(/pot_eggs_check/);
});

test(
  "migrate: of three servers that start on an empty database at once, one applies",
  { tags: ["fail:D11"] },
  async () => {
    await writeFirst();
    await write(second, "labels", 1);
    const script = fileURLToPath(new URL("fixtures/migrate-once.ts", import.meta.url));
    const runs = await Promise.all(
      [1, 2, 3].map(() => promisify(execFile)(process.execPath, [script, database.url, dir])),
    );
    expect(runs.map(({ stdout }) => stdout.trim()).toSorted()).toStrictEqual(["0", "0", "2"]);
    expect(await recorded()).toHaveLength(2);
  },
);

test("migrate: a failed migration leaves nothing, reports the reason, and can be applied once it is corrected", async () => {
  await write(first, "start", 0);
  const name = (await write(second, "labels", 1)) ?? "";
  const path = join(dir, name, "migration.sql");
  const good = await readFile(path, "utf8");
  await writeFile(path, `${good}\ninsert into nowhere values (1);\n`);
  const failing = migrate({ url: database.url, dir });
  await expect(failing).rejects.toBeInstanceOf(MigrateError);
  await expect(failing).rejects.toThrow(/relation "nowhere" does not exist/);
  expect(
    (await client.query("select column_name from information_schema.columns where table_name = 'pot'")).rowCount,
  ).toBe(2);

  await writeFile(path, good);
  expect(await migrate({ url: database.url, dir })).toStrictEqual({ applied: [name] });
});

test("migrate: a database with another history is rejected with a sentence", async () => {
  const name = await writeFirst();
  await migrate({ url: database.url, dir });
  await writeFile(join(dir, name, "migration.sql"), "create table other ();");
  await expect(migrate({ url: database.url, dir })).rejects.toThrow(
    `The migration ${name} was changed after it was applied`,
  );
  await rm(join(dir, name), { recursive: true });
  await expect(migrate({ url: database.url, dir })).rejects.toThrow(
    `The database has the migration ${name}, which this version does not know`,
  );
});

test("migrate: an unreachable database is reported in one sentence without the password", async () => {
  const wrong = new URL(database.url);
  wrong.port = "1";
  wrong.password = "topsecret";
  const failing = migrate({ url: wrong.href, dir });
  await expect(failing).rejects.toBeInstanceOf(MigrateError);
  await expect(failing).rejects.toThrow(/^The database at [^\n]*:1\/\w+ cannot be reached: [^\n]*\.$/);
  await expect(failing).rejects.not.toThrow(/topsecret/);
});

/** A server that speaks enough of Postgres's protocol for one simple query: one row of texts. */
function fakeServer(columns: Record<string, [type: number, value: string]>): Server {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value & 65_535)]);
  const entries = Object.entries(columns);
  const ready = message("Z", Buffer.from("I"));
  const described = entries.map(([name, [type]]) =>
    Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]),
  );
  const values = entries.map(([, [, value]]) => Buffer.concat([int32(value.length), Buffer.from(value)]));
  return createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      if (data.toString("latin1").startsWith("Q")) {
        socket.write(
          Buffer.concat([
            message("T", int16(entries.length), ...described),
            message("D", int16(entries.length), ...values),
            message("C", Buffer.from("SELECT 1\0")),
            ready,
          ]),
        );
      } else if (data.toString("latin1").startsWith("X")) socket.end();
      else socket.write(Buffer.concat([message("R", int32(0)), ready]));
    });
  });
}

test("migrate: a Postgres that is too old is rejected in one sentence", async () => {
  const old = fakeServer({ number: [23, "140012"], name: [25, "14.12"] }).listen(0, "127.0.0.1");
  await once(old, "listening");
  const { port } = old.address() as { port: number };
  try {
    const failing = migrate({ url: `postgres://someone@127.0.0.1:${port}/market`, dir });
    await expect(failing).rejects.toBeInstanceOf(MigrateError);
    await expect(failing).rejects.toThrow(
      `The database at 127.0.0.1:${port}/market is Postgres 14.12; Marketday needs 15 or newer.`,
    );
  } finally {
    old.close();
  }
});
