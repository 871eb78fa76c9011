import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import { copyOut, execute, query, sql, sqlTransaction, type SqlTx } from "@marketday/db";

import { makeFolder } from "../../lib/make-folder.ts";
import type { Context } from "../identity/context.ts";
import { BackupError, type Manifest, MANIFEST, pepperMark, SEAL, sealOf } from "./manifest.ts";
import { findDeletions, findMigrations, findSequences, findTables, type Table } from "./table-sql.ts";

/** Folders of uploads in the data folder; everything else there can be generated again. */
const UPLOADS = ["pictures/uploads", "problems"] as const;

export interface BackupHow {
  signal: AbortSignal;
  onProgress?: (done: number, total: number, step: string) => void;
}

/** Counts and hashes what passes. */
class Meter extends Transform {
  readonly #hash = createHash("sha256");
  bytes = 0;
  lines = 0;
  override _transform(part: Buffer, _encoding: string, done: (error: null, part: Buffer) => void): void {
    this.#hash.update(part);
    this.bytes += part.length;
    for (let place = part.indexOf(10); place >= 0; place = part.indexOf(10, place + 1)) this.lines += 1;
    done(null, part);
  }
  digest(): string {
    return this.#hash.digest("hex");
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

async function saveTable(
  tx: SqlTx,
  table: Table,
  folder: string,
  signal: AbortSignal,
): Promise<Manifest["tables"][number]> {
  const order = table.key.length > 0 ? table.key : table.columns;
  const path = `tables/${table.name}.tsv.gz`;
  const [content, packed] = [new Meter(), new Meter()];
  const rows = copyOut(tx, `(select ${quoted(table.columns)} from "${table.name}" order by ${quoted(order)})`);
  await pipeline(rows, content, createGzip({ level: 6 }), packed, createWriteStream(join(folder, path)), { signal });
  // In this format a line end inside a text is escaped, so lines are rows.
  return {
    name: table.name,
    columns: table.columns,
    rows: content.lines,
    content: content.digest(),
    file: { path, bytes: packed.bytes, sha256: packed.digest() },
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".tmp"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function saveFile(from: string, to: string): Promise<{ bytes: number; sha256: string }> {
  await mkdir(dirname(to), { recursive: true });
  const meter = new Meter();
  await pipeline(createReadStream(from), meter, createWriteStream(to));
  return { bytes: meter.bytes, sha256: meter.digest() };
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function save(ctx: Context, tx: SqlTx, folder: string, how: BackupHow): Promise<Manifest> {
  const { env } = ctx.deps;
  await execute(tx, sql`set transaction isolation level repeatable read, read only`);
  await tx.client.query("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
  const [taken] = await query<{ now: Date }>(tx, sql`select now() as now`);
  const tables = await findTables(tx);
  const saved: Manifest["tables"] = [];
  for (const table of tables) {
    how.signal.throwIfAborted();
    how.onProgress?.(saved.length, tables.length, table.name);
    saved.push(await saveTable(tx, table, folder, how.signal));
  }
  // After the snapshot: all pictures of its rows exist by now, and pictures never change.
  const files: Manifest["files"] = [];
  for (const root of UPLOADS)
    for (const path of await filesBelow(join(env.dataDir, root))) {
      how.signal.throwIfAborted();
      const name = relative(env.dataDir, path);
      files.push({ path: name, ...(await saveFile(path, join(folder, "files", name))) });
    }
  return {
    format: 1,
    market: env.marketName,
    takenAt: taken!.now.toISOString(),
    migrations: await findMigrations(tx),
    pepper: pepperMark(env.pepper),
    tables: saved,
    sequences: await findSequences(tx),
    files,
    deletions: await findDeletions(tx),
  };
}

/**
 * Saves the whole market to a new folder: every table as of one instant, uploaded pictures, and a manifest with the hash of each
 * file. Works beside a running server. The folder appears when everything is on disk, or not at all. Secrets are not in it: store the
 * passwords' pepper elsewhere.
 */
export async function backUp(ctx: Context, folder: string, how: BackupHow): Promise<Manifest> {
  if (existsSync(folder)) throw new BackupError(`${folder} exists already; nothing was written.`);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  const removeEmpty = await makeFolder(join(partial, "tables"), 0o700);
  try {
    const manifest = await sqlTransaction(ctx.deps.db, (tx) => save(ctx, tx, partial, how), { retries: 0 });
    const text = `${JSON.stringify(manifest, null, 1)}\n`;
    await writeFile(join(partial, MANIFEST), text);
    await writeFile(join(partial, SEAL), `${sealOf(text)}\n`);
    for (const path of await filesBelow(partial)) await sync(path);
    await rename(partial, folder);
    await sync(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    await removeEmpty();
    if (how.signal.aborted) throw how.signal.reason;
    throw error;
  }
}

/** Bytes of a backup on the disk. */
export const sizeOf = async (folder: string): Promise<number> => {
  let bytes = 0;
  for (const path of await filesBelow(folder)) bytes += (await stat(path)).size;
  return bytes;
};
