import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { finished } from "node:stream/promises";

import { BOM, escapeFormula } from "@marketday/server/lib/csv";
import { escapeNone } from "@marketday/server/lib/none";
import type { TextRow } from "@marketday/server/modules/imports/export-file";
import type { ImportType } from "@marketday/server/modules/imports/kind";
import { stringify } from "csv-stringify/sync";

/** The mark for a file, or for standard output (no path) unless that is a terminal. */
export const bomFor = (path: string | undefined): string => (path === undefined && process.stdout.isTTY ? "" : BOM);

export interface FileWriter {
  write(rows: readonly TextRow[]): Promise<void>;
  /** Replaces the file; until then the previous one stays. */
  close(): Promise<void>;
  /** Keeps the previous file. */
  abandon(): Promise<void>;
}

/** Writes to standard output (no path), or to a file that is replaced atomically. */
export function openOutput(path: string | undefined): {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  abandon(): Promise<void>;
} {
  const temporary = path === undefined ? undefined : `${path}.${process.pid}.tmp`;
  const stream = temporary === undefined ? process.stdout : createWriteStream(temporary, { flags: "wx" });
  let failed: Error | undefined;
  stream.once("error", (error) => (failed = error));
  return {
    async write(text) {
      if (failed) throw failed;
      if (!stream.write(text)) await once(stream, "drain");
    },
    async close() {
      if (temporary === undefined || path === undefined) return;
      stream.end();
      await finished(stream);
      await rename(temporary, path);
    },
    async abandon() {
      if (temporary === undefined) return;
      stream.destroy();
      await rm(temporary, { force: true });
    },
  };
}

/** Writes a text to standard output (no path), or to a file that is replaced atomically. */
export async function writeText(path: string | undefined, text: string): Promise<void> {
  const out = openOutput(path);
  try {
    await out.write(text);
    await out.close();
  } catch (error) {
    await out.abandon();
    throw error;
  }
}

/** Writes rows of a kind as CSV, or to a `.json` path as an array with one object per line. */
export function openWriter(kind: ImportType, path: string | undefined): FileWriter {
  const out = openOutput(path);
  const names = kind.columns.map(({ name }) => name);
  const isText = new Map(kind.columns.map(({ name, cell }) => [name, cell.isText]));
  const asJson = path?.endsWith(".json") ?? false;
  let started = false;
  const headerLine = (): string => bomFor(path) + stringify([names], { record_delimiter: "\n" });
  const cellOf = (row: TextRow, name: string): string | null => {
    const text = row[name] ?? null;
    return text !== null && isText.get(name) ? escapeNone(text) : text;
  };
  const csvCell = (row: TextRow, name: string): string => {
    const text = cellOf(row, name) ?? "";
    return isText.get(name) ? escapeFormula(text) : text;
  };
  const csv = (rows: readonly TextRow[]): string =>
    stringify(
      rows.map((row) => names.map((name) => csvCell(row, name))),
      { record_delimiter: "\n" },
    );
  const json = (rows: readonly TextRow[], first: boolean): string =>
    rows
      .map(
        (row, place) =>
          `${first && place === 0 ? "[\n" : ",\n"}${JSON.stringify(Object.fromEntries(names.map((name) => [name, cellOf(row, name)])))}`,
      )
      .join("");
  return {
    async write(rows) {
      const head = started || asJson ? "" : headerLine();
      await out.write(head + (asJson ? json(rows, !started) : csv(rows)));
      started = true;
    },
    async close() {
      if (!started) await out.write(asJson ? "[\n" : headerLine());
      if (asJson) await out.write("\n]\n");
      await out.close();
    },
    abandon: () => out.abandon(),
  };
}
