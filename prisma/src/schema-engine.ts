import { randomUUID } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

import { type Migration, packageDir } from "./migration-files.ts";

type Loaded = typeof import("@prisma/schema-engine-wasm/schema_engine_bg");
type Adapter = Awaited<ReturnType<PrismaPg["connect"]>>;

/** Part of Node, but not of the types without the DOM. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (module: object, imports: object) => { exports: { __wbindgen_start(): void } };
};

/** Kept on the process: a second instance would break the first, because Prisma's glue code serves one. */
const shared = globalThis as { marketdaySchemaEngine?: Promise<Loaded> };

/** The engine leaves a timer of ten seconds behind, which must not delay the end of the process. */
function quietTimers(engine: object): Record<string, (callback: () => void, ms: number) => unknown> {
  const names = Object.keys(engine).filter((name) => name.startsWith("__wbg_setTimeout_"));
  return Object.fromEntries(
    names.map((name) => [name, (callback: () => void, ms: number) => setTimeout(callback, ms).unref()]),
  );
}

/** Instantiates Prisma's schema engine (5 MB of WebAssembly) once per process. */
async function load(): Promise<Loaded> {
  shared.marketdaySchemaEngine ??= (async () => {
    const engine = await import("@prisma/schema-engine-wasm/schema_engine_bg");
    const path = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
    const module = await WebAssembly.compile(await readFile(path.replace(/\.js$/, ".wasm")));
    const { exports } = new WebAssembly.Instance(module, {
      "./schema_engine_bg.js": { ...engine, ...quietTimers(engine) },
    });
    engine.__wbg_set_wasm(exports);
    exports.__wbindgen_start();
    return engine;
  })();
  return shared.marketdaySchemaEngine;
}

/** The type `"char"` of Postgres's own tables, which the engine reads and the adapter does not support. */
const CHAR = 18;

/**
 * Prisma's adapter splits a script at every semicolon, which cuts functions in two. Given to Postgres in one piece it
 * is also one transaction: a migration is applied wholly or not at all.
 */
class WholeScripts extends PrismaPg {
  /** The error of a script that failed; the engine only reports that one did. */
  failure: unknown;
  readonly #url: string;

  constructor(pool: pg.Pool, url: string) {
    super(pool);
    this.#url = url;
  }

  override async connect(): Promise<Adapter> {
    return this.#wrap(await super.connect());
  }

  /** A database to compare with, which is dropped at the end. */
  override async connectToShadowDb(): Promise<Adapter> {
    const server = await super.connect();
    const name = `marketday_diff_${randomUUID().replaceAll("-", "")}`;
    await server.executeScript(`create database ${name}`);
    const url = new URL(this.#url);
    url.pathname = `/${name}`;
    const adapter = this.#wrap(await new PrismaPg({ connectionString: url.href }).connect());
    const dispose = adapter.dispose.bind(adapter);
    adapter.dispose = async () => {
      await dispose();
      await server.executeScript(`drop database ${name}`);
    };
    return adapter;
  }

  #wrap(adapter: Adapter): Adapter {
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      try {
        return await queryRaw(query);
      } catch (error) {
        if ((error as { cause?: { kind?: string } }).cause?.kind !== "UnsupportedNativeDataType") throw error;
      }
      const from = `from (${query.sql.replace(/;\s*$/, "")}) q`;
      const { fields } = await adapter
        .underlyingDriver()
        .query({ text: `select * ${from} limit 0`, values: query.args });
      const isChar = fields.map(({ dataTypeID }) => dataTypeID === CHAR);
      const columns = fields.map(({ name }, index) => (isChar[index] ? `"${name}"::text` : `"${name}"`));
      const result = await queryRaw({ ...query, sql: `select ${columns.join(", ")} ${from}` });
      return {
        ...result,
        columnTypes: result.columnTypes.map((type, index) => (isChar[index] ? ColumnTypeEnum.Character : type)),
      };
    };
    adapter.executeScript = async (script: string) => {
      try {
        await adapter.underlyingDriver().query(script);
      } catch (error) {
        this.failure = error;
        throw error;
      }
    };
    return adapter;
  }
}

/**
 * Runs `work` with a schema engine on the given database.
 * @param files the datamodel the engine starts from; an empty one will do to apply migrations
 */
export async function withSchemaEngine<T>(
  url: string,
  files: SchemaFiles,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine } = await load();
  const pool = new pg.Pool({ connectionString: url, max: 1, options: "-c TimeZone=UTC" });
  pool.on("error", () => undefined);
  const adapter = new WholeScripts(pool, url);
  const factory = bindMigrationAwareSqlAdapterFactory(adapter);
  const engine = await SchemaEngine.new({ datamodels: files }, () => undefined, factory);
  try {
    return await work(engine);
  } catch (error) {
    throw adapter.failure ?? error;
  } finally {
    engine.free();
    await pool.end();
  }
}

/** Migrations in the form of the engine. */
export const listMigrations = (baseDir: string, migrations: readonly Migration[]): MigrationList => ({
  baseDir,
  lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
  shadowDbInitScript: "",
  migrationDirectories: migrations.map(({ name, script }) => ({
    path: name,
    migrationFile: { path: "migration.sql", content: { tag: "ok", value: script } },
  })),
});

/**
 * The SQL that leads from the migrations to a datamodel, as `prisma migrate diff --from-migrations --to-schema` prints it; empty
 * when they agree. Indexes that a migration creates by hand (`create index …` in small letters) are not in the datamodel and stay.
 * @param url a server on which a database may be created; the migrations are applied in it, and it is dropped
 */
export async function diffMigrations(
  url: string,
  migrations: readonly Migration[],
  schema: SchemaFiles,
): Promise<string> {
  const { stdout } = await withSchemaEngine(url, schema, (engine) =>
    engine.diff({
      from: { tag: "migrations", ...listMigrations("", migrations) },
      to: { tag: "schemaDatamodel", files: schema.map(([path, content]) => ({ path, content })) },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  const byHand = migrations.flatMap(({ script }) =>
    [...script.matchAll(/^create (?:unique )?index (\w+)/gm)].map(([, name]) => name),
  );
  return (stdout ?? "")
    .split(/^(?=-- )/m)
    .filter((part) => !byHand.some((name) => part.startsWith(`-- DropIndex\nDROP INDEX "${name}";`)))
    .filter((part) => !part.startsWith("-- This is an empty migration"))
    .join("")
    .trim();
}

/** `[path relative to the folder, text]` of each schema file: schema.prisma first, then models/ by name. */
export type SchemaFiles = [path: string, text: string][];

/** Reads the datamodel of `dir`. */
export async function readSchema(dir: string = packageDir): Promise<SchemaFiles> {
  const models = (await readdir(join(dir, "models")).catch(() => [])).filter((name) => name.endsWith(".prisma"));
  const paths = ["schema.prisma", ...models.toSorted().map((name) => `models/${name}`)];
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, await readFile(join(dir, path), "utf8")]),
  );
}
