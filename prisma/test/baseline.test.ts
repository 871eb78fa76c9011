import pg from "pg";
import { expect, test } from "vitest";

import { migrate, MigrateError } from "../src/migrate.ts";
import { BASELINE, readMigrations } from "../src/migration-files.ts";
import { createTestDatabase } from "./database.ts";
import { createOldDatabase } from "./old-database.ts";

/** Everything that migrations create in the schemas of the market, one line each. The order of columns does not count. */
const CATALOG = `
with ours as (select oid, nspname from pg_namespace where nspname in ('public', 'search')),
  extended as (select objid from pg_depend where deptype = 'e')
select 'column ' || a.attrelid::regclass || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
  from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace in (select oid from ours) and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
  from pg_constraint where connamespace in (select oid from ours)
union all select 'index ' || indexdef from pg_indexes where schemaname in (select nspname from ours)
union all select 'enum ' || t.typname || ' ' || string_agg(e.enumlabel, ',' order by e.enumsortorder)
  from pg_enum e join pg_type t on t.oid = e.enumtypid group by t.typname
union all select pg_get_functiondef(oid) from pg_proc
  where pronamespace in (select oid from ours) and oid not in (select objid from extended)
union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
union all select 'sequence ' || schemaname || '.' || sequencename || ' ' || start_value || ' ' || increment_by
  from pg_sequences where schemaname in (select nspname from ours)
union all select 'extension ' || extname from pg_extension
union all select 'words ' || cfgname from pg_ts_config where cfgnamespace in (select oid from ours)
order by line`;

const readCatalog = async (client: pg.Client) =>
  (await client.query<{ line: string }>(CATALOG)).rows
    .map(({ line }) => line)
    .filter((line) => !line.includes("_prisma_migrations"));
const recorded = async (client: pg.Client) =>
  (
    await client.query<{ name: string }>(
      "select migration_name as name from _prisma_migrations where finished_at is not null order by name",
    )
  ).rows.map(({ name }) => name);

/** The migrations since the baseline. */
const newer = (await readMigrations()).map(({ name }) => name).filter((name) => name !== BASELINE);

test(
  "baseline: a new database has exactly the tables, rules and functions of an upgraded one",
  { tags: ["fail:D12"] },
  async () => {
    const old = await createOldDatabase("auto_checkout_results");
    await old.upgrade();
    const { url, drop } = await createTestDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const [upgraded, created] = [await readCatalog(old.client), await readCatalog(client)];
      expect(created.length).toBeGreaterThan(500);
      expect(created.filter((line) => !upgraded.includes(line))).toEqual([]);
      expect(upgraded.filter((line) => !created.includes(line))).toEqual([]);
      expect(await recorded(old.client)).toEqual(await recorded(client));
    } finally {
      await client.end();
      await drop();
    }
  },
);

test(
  "baseline: an upgrade that was killed before the baseline was recorded goes on",
  { tags: ["fail:D12"] },
  async () => {
    const old = await createOldDatabase("auto_checkout_results");
    await old.upgrade();
    const checksums = async ({ client }: { client: pg.Client }) =>
      (await client.query("select migration_name, checksum from _prisma_migrations order by migration_name")).rows;
    const again = await createOldDatabase("charge_keys");
    // The baseline's record is refused once, as if the process had been killed there.
    await again.client.query(
      "alter table _prisma_migrations add constraint no_baseline check (migration_name <> '" + BASELINE + "')",
    );
    await expect(again.upgrade()).rejects.toBeInstanceOf(MigrateError);
    await again.client.query("alter table _prisma_migrations drop constraint no_baseline");
    expect(await again.upgrade()).toEqual({ applied: newer });
    expect(await recorded(again.client)).toEqual([BASELINE, ...newer]);
    expect(await checksums(again)).toEqual(await checksums(old));
    expect(await migrate({ url: again.url })).toEqual({ applied: [] });
  },
);

test("baseline: a database with an unknown old migration is refused with a sentence", async () => {
  const old = await createOldDatabase("charge_keys");
  await old.client.query(
    "update _prisma_migrations set migration_name = '20261121071501_other' where migration_name like '%_search'",
  );
  await expect(old.upgrade()).rejects.toThrow(
    "The database has the migration 20261121071501_other, which this version does not know",
  );
});
