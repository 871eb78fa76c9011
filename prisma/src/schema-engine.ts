import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

import type { SchemaFiles } from "./schema-files.ts";

type Loaded = typeof import("@prisma/schema-engine-wasm/schema_engine_bg");
type Adapter = Awaited<ReturnType<PrismaPg["connect"]>>;

/** Node has it; the types of a server without the DOM do not. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (module: object, imports: object) => { exports: { __wbindgen_start(): void } };
};

let loading: Promise<Loaded> | undefined;

/** The engine leaves a timer of ten seconds behind, which must not keep a finished process from ending. */
function quietTimers(engine: object): Record<string, (callback: () => void, ms: number) => unknown> {
  const names = Object.keys(engine).filter((name) => name.startsWith("__wbg_setTimeout_"));
  return Object.fromEntries(
    names.map((name) => [name, (callback: () => void, ms: number) => setTimeout(callback, ms).unref()]),
  );
}

/** Instantiates Prisma's schema engine (5 MB of WebAssembly) once per process. */
async function load(): Promise<Loaded> {
  loading ??= (async () => {
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
  return loading;
}

/**
 * Prisma's adapter splits a script at every semicolon, which cuts functions in two. Given to Postgres in one piece it
 * is also one transaction: a migration is applied wholly or not at all.
 */
class WholeScripts extends PrismaPg {
  /** What Postgres said to a script that failed; the engine itself only tells that one did. */
  failure: unknown;
  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
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

/** Comparing datamodels needs no database, but the engine greets one: it is told of the oldest Postgres we support. */
class NoDatabase extends PrismaPg {
  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    adapter.queryRaw = async () => ({
      columnNames: ["exists", "version", "numeric_version"],
      columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
      rows: [[true, "PostgreSQL 15.0", 150_000]],
    });
    return adapter;
  }
}

/**
 * Runs `work` with a schema engine on the given database. Without a url it can only compare datamodels.
 * @param files the datamodel the engine starts from; an empty one will do to apply migrations
 */
export async function withSchemaEngine<T>(
  url: string | undefined,
  files: SchemaFiles,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine } = await load();
  const pool = new pg.Pool({ connectionString: url, max: 1, options: "-c TimeZone=UTC" });
  pool.on("error", () => undefined);
  const adapter = url ? new WholeScripts(pool) : new NoDatabase(pool);
  const factory = bindMigrationAwareSqlAdapterFactory(adapter);
  const engine = await SchemaEngine.new({ datamodels: files }, () => undefined, factory);
  try {
    return await work(engine);
  } catch (error) {
    throw adapter instanceof WholeScripts && adapter.failure ? adapter.failure : error;
  } finally {
    engine.free();
    await pool.end();
  }
}

/** The SQL that leads from one datamodel to another; `from` undefined is an empty database. */
export async function diffSchemas(from: SchemaFiles | undefined, to: SchemaFiles): Promise<string> {
  const container = (files: SchemaFiles) => ({
    tag: "schemaDatamodel" as const,
    files: files.map(([path, content]) => ({ path, content })),
  });
  return withSchemaEngine(undefined, to, async (engine) => {
    const { stdout } = await engine.diff({
      from: from ? container(from) : { tag: "empty" },
      to: container(to),
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? "";
  });
}
