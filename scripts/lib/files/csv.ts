import { Readable } from "node:stream";

import { unescapeFormula } from "@marketday/server/lib/csv";
import { ImportRefused, type Problem, shown } from "@marketday/server/lib/file-problem";
import type { ImportType } from "@marketday/server/modules/imports/kind";
import type { RawFile, RawRow } from "@marketday/server/modules/imports/raw-file";
import { CsvError, parse } from "csv-parse";

import { decodeFile } from "./decode.ts";
import { checkHeader, countKnown, emptyFile } from "./header.ts";
import { misplacedRowFinder } from "./misplaced-rows.ts";

/** Bytes of a record. Limits memory for a file without line ends or with a quote that is never closed. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;

const sentences: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a cell begins with a quote (") that is never closed. Close it, or take it out.',
  INVALID_OPENING_QUOTE:
    'a quote (") is inside a cell. Put the whole cell in quotes and write the quote twice: "12"" cake".',
  CSV_INVALID_CLOSING_QUOTE:
    'there is text behind a closing quote ("). A quote inside a cell in quotes is written twice: "12"" cake".',
  CSV_MAX_RECORD_SIZE: `this row is longer than ${MAX_RECORD_BYTES / 1024 / 1024} MB. Is a quote (") not closed?`,
};

const rejection = (error: CsvError, row: number): ImportRefused => {
  const right = sentences[error.code] ?? `this row cannot be read (${error.code})`;
  return new ImportRefused([{ line: row, position: null, inSheet: true, column: null, value: null, right }]);
};

/** The delimiter of a file, and its text without the line that names it (`sep=;`). */
function detectDelimiter(text: string): { delimiter: string; rest: string } {
  const declared = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i.exec(text);
  if (declared) return { delimiter: declared[1]!, rest: text.slice(declared[0].length) };
  const firstLine = /^[\r\n,;\t]*[^\r\n]*/.exec(text.replaceAll(/"[^"]*"/g, ""))?.[0] ?? "";
  const count = (character: string): number => firstLine.split(character).length;
  const [delimiter = ","] = [",", ";", "\t"].toSorted((a, b) => count(b) - count(a));
  return { delimiter, rest: text };
}

/** Whether a cell of text is a formula that was not calculated. Longer texts may begin with a dash, a plus or an @. */
const beginsFormula = (cell: string, isName: boolean): boolean =>
  (isName ? /^\s*[=+\-@＝＋－＠]\s*\S/ : /^\s*[=＝]/).test(cell);

const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

/** A record of a file, and its row in the spreadsheet. */
interface SheetRow {
  row: number;
  cells: string[];
}

/**
 * The records of a file with their row numbers in a spreadsheet, without empty rows. Cells are separated by commas,
 * semicolons or tabs; line ends of any kind may be mixed and be inside quotes.
 */
async function* records(path: string): AsyncGenerator<SheetRow> {
  const pieces = decodeFile(path);
  const first = await pieces.next();
  const { delimiter, rest } = detectDelimiter(first.value ?? "");
  async function* text(): AsyncGenerator<string> {
    if (rest !== "") yield rest;
    for await (const piece of pieces) if (piece !== "") yield piece;
  }
  const source = Readable.from(text(), { objectMode: false });
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: MAX_RECORD_BYTES,
  });
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    let row = 0;
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      if (!isEmpty(cells)) yield { row, cells };
    }
  } catch (error) {
    throw error instanceof CsvError ? rejection(error, parser.info.records + 1) : error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

const BROKEN =
  'has a letter that cannot be read: the file is not saved as UTF-8. Open it in the spreadsheet, and save it as "CSV UTF-8 (Comma delimited)".';

/** The rows above a header in which titles and notes are looked for. */
const ABOVE_HEADER = 10;

/**
 * The columns by the first row.
 * @throws ImportRefused when it is no header; when one of the next rows looks like it, with its place
 */
async function readHeader(
  kind: ImportType,
  { row: line, cells }: SheetRow,
  others: AsyncIterable<SheetRow>,
): Promise<string[]> {
  if (countKnown(kind, cells) === 0) {
    let left = ABOVE_HEADER;
    for await (const { row, cells: later } of others) {
      if (countKnown(kind, later) > 1) {
        const above = row - 1 > line ? `rows ${line} to ${row - 1}` : `row ${line}`;
        const title = shown(cells.find((cell) => cell.trim() !== "")?.trim() ?? "");
        const right = `"${title}" is not the name of a column: the header seems to be row ${row}. Delete ${above}`;
        throw new ImportRefused([{ line, position: null, inSheet: true, column: null, value: null, right }]);
      }
      if ((left -= 1) === 0) break;
    }
  }
  return checkHeader(kind, cells, { line, inSheet: true });
}

/** Opens a CSV file: reads and checks its header; its rows are read lazily. */
export async function openCsv(path: string, kind: ImportType): Promise<Omit<RawFile, "name">> {
  const all = records(path);
  const first = await all.next();
  if (first.done) throw emptyFile(kind);
  const header = await readHeader(kind, first.value, all);
  const width = first.value.cells.length;
  const isText = new Set(kind.columns.filter(({ cell }) => cell.isText).map(({ name }) => name));
  const isName = new Set(kind.columns.filter(({ cell }) => cell.isName).map(({ name }) => name));
  const positionOf = (column: string): number | null => header.indexOf(column) + 1 || null;
  const findMisplaced = misplacedRowFinder(kind, header);
  const rowOf = (row: number, given: readonly string[]): RawRow => {
    const problems: Problem[] = [];
    const cells: Record<string, string> = {};
    const wrong = (place: number, column: string | null, sentence: string): void => {
      const value = shown(given[place] ?? "");
      problems.push({ line: row, position: place + 1, inSheet: true, column, value, right: sentence, sentence });
    };
    for (const [place, name] of header.entries()) {
      const cell = given[place] ?? "";
      if (name === "") {
        if (cell.trim() !== "") wrong(place, null, "this column has no name in the header. Name it, or delete it.");
        continue;
      }
      cells[name] = isText.has(name) ? unescapeFormula(cell) : cell;
      if (isText.has(name) && beginsFormula(cell, isName.has(name)))
        wrong(
          place,
          name,
          `"${shown(cell.trim())}" begins like a formula of a spreadsheet. Begin it with a letter or a digit, or with an apostrophe ('${shown(cell.trim())}) if it is meant so.`,
        );
      if (cell.includes("\uFFFD")) wrong(place, name, `"${shown(cell.trim())}" ${BROKEN}`);
    }
    const misplaced: [place: number, sentence: string] | null =
      given.length > width
        ? [
            width,
            `this row has ${given.length} cells, and the header has ${width}. A cell with a comma in it must be in quotes.`,
          ]
        : findMisplaced(given);
    if (misplaced) {
      problems.length = 0;
      const [place, sentence] = misplaced;
      wrong(place, null, sentence);
    }
    return { line: row, cells, positionOf, ...(problems.length > 0 && { problems }), isMisplaced: misplaced !== null };
  };
  async function* rows(): AsyncGenerator<RawRow> {
    for await (const { row, cells } of all) yield rowOf(row, cells);
  }
  return { header, rows: rows(), inSheet: true };
}
