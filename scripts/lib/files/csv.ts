import { createReadStream } from "node:fs";

import type { Kind } from "@marketday/server/modules/imports/kind";
import { ImportRefused } from "@marketday/server/modules/imports/problem";
import type { RawRow } from "@marketday/server/modules/imports/raw-file";
import { CsvError, parse } from "csv-parse";

import { unguarded } from "./formula.ts";
import { checkHeader, emptyFile } from "./header.ts";

/** A record may be long, but memory stays flat (a file without line ends, a quote that is never closed). */
const LONGEST = 8 * 1024 * 1024;

const mended: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote that is closed again before the file ends",
  INVALID_OPENING_QUOTE: "a quote only at the start of a cell; a quote inside one is written twice, in quotes",
  CSV_INVALID_CLOSING_QUOTE: "a comma or the line's end after a closing quote; a quote inside a cell is written twice",
  CSV_MAX_RECORD_SIZE: `a row of at most ${LONGEST / 1024 / 1024} MB; is a quote not closed?`,
};

function refusal(error: CsvError): ImportRefused {
  const place = error as unknown as { lines?: number; column?: number | string };
  const column = typeof place.column === "number" ? place.column + 1 : null;
  const right = mended[error.code] ?? error.message;
  return new ImportRefused([{ line: place.lines ?? 0, position: column, column: null, value: null, right }]);
}

/** The records of a CSV file with the line each begins on. BOM, Windows line ends and line ends in quotes are fine. */
async function* records(path: string): AsyncGenerator<{ line: number; cells: string[] }> {
  const source = createReadStream(path);
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: LONGEST,
  });
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      // `lines` is where the record ends.
      const inside = record.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
      yield { line: info.lines - inside, cells: record };
    }
  } catch (error) {
    throw error instanceof CsvError ? refusal(error) : error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** Opens a CSV file: its header is read and checked, its rows come as they are asked for. */
export async function openCsv(path: string, kind: Kind): Promise<{ header: string[]; rows: AsyncIterable<RawRow> }> {
  const all = records(path);
  const first = await all.next();
  if (first.done) throw emptyFile(kind);
  const header = checkHeader(kind, first.value.cells);
  const isText = new Set(kind.columns.filter(({ cell }) => cell.isText).map(({ name }) => name));
  const positionOf = (column: string): number | null => header.indexOf(column) + 1 || null;
  async function* rows(): AsyncGenerator<RawRow> {
    for await (const { line, cells } of all) {
      if (cells.length === 1 && cells[0]?.trim() === "") continue;
      if (cells.length !== header.length) {
        const right = `${header.length} cells, as the header has; this row has ${cells.length}. A comma in a text stands in quotes`;
        throw new ImportRefused([
          { line, position: Math.min(cells.length, header.length) + 1, column: null, value: null, right },
        ]);
      }
      const byName: Record<string, string> = {};
      for (const [place, name] of header.entries()) {
        const cell = cells[place]!;
        byName[name] = isText.has(name) ? unguarded(cell) : cell;
      }
      yield { line, cells: byName, positionOf };
    }
  }
  return { header, rows: rows() };
}
