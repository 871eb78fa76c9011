import { createReadStream } from "node:fs";

import { ImportRefused } from "@marketday/server/lib/file-problem";
import { NONE } from "@marketday/server/lib/none";
import type { ImportType } from "@marketday/server/modules/imports/kind";
import type { RawFile, RawRow } from "@marketday/server/modules/imports/raw-file";
import { findNodeAtLocation, parseTree, printParseErrorCode, type ParseError } from "jsonc-parser";

import { checkHeader, emptyFile } from "./header.ts";

const MAX_OBJECT_CHARACTERS = 8 * 1024 * 1024;
const rejection = (line: number, position: number | null, right: string): ImportRefused =>
  new ImportRefused([{ line, position, column: null, value: null, right }]);

/** Line and column, counted from 1, of an offset in a text that begins on `line`. */
export function placeOf(text: string, offset: number, line = 1): { line: number; position: number } {
  const before = text.slice(0, offset);
  const last = before.lastIndexOf("\n");
  return { line: line + (before.match(/\n/g)?.length ?? 0), position: offset - last };
}

/** Messages for the parser's errors, by code. */
const errorTexts: Readonly<Record<string, string>> = {
  InvalidSymbol: "this word or sign is not JSON. Texts are in quotes, numbers are plain, such as -86.2",
  InvalidNumberFormat: "this is not a number",
  PropertyNameExpected: "a name in quotes is missing here, or the comma before is too much",
  ValueExpected: "a value is missing here, or the comma before is too much",
  ColonExpected: "a colon is missing here",
  CommaExpected: "a comma is missing here",
  CloseBraceExpected: "a } is missing here",
  CloseBracketExpected: "a ] is missing here",
  EndOfFileExpected: "there is more behind the end",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfString: "a quote is not closed",
};

/** The error for a text that is not JSON, with its place. */
export function jsonProblem(text: string, line = 1): ImportRefused {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (!first) return rejection(line, null, "this is not JSON");
  const place = placeOf(text, first.offset, line);
  const end = text.trimEnd().length;
  // The error is at the end of the file, or its last value is not finished.
  const isCutOff = first.offset >= end || (first.offset + first.length >= end && !/[}\]]\s*$/.test(text));
  const right = isCutOff
    ? "the file ends in the middle. It was probably cut off when it was saved or sent: save it again"
    : (errorTexts[printParseErrorCode(first.error)] ?? "this is not JSON");
  return rejection(place.line, place.position, right);
}

/**
 * The objects of a file that is a JSON array of them or JSON lines: the text of each and the line it begins on, so that
 * only one is in memory and an error has its line. Lines identify rows: where several objects begin on one line, each is counted as
 * a line. Outside objects only [ , ] are allowed.
 */
async function* objects(path: string): AsyncGenerator<{ text: string; line: number }> {
  let depth = 0;
  let inText = false;
  let escaped = false;
  let object = "";
  let line = 1;
  let startLine = 0;
  for await (const chunk of createReadStream(path, { encoding: "utf8" }) as AsyncIterable<string>) {
    let start = depth > 0 ? 0 : -1;
    for (let place = 0; place < chunk.length; place += 1) {
      const character = chunk[place]!;
      if (character === "\n") line += 1;
      if (depth === 0) {
        if (character === "{") [depth, start, startLine, object] = [1, place, Math.max(line, startLine + 1), ""];
        else if (!/[\s[\],\uFEFF]/.test(character))
          throw rejection(line, null, `an object in { }; "${character}" stands here`);
      } else if (inText) {
        if (escaped) escaped = false;
        else if (character === "\\") escaped = true;
        else if (character === '"') inText = false;
      } else if (character === '"') inText = true;
      else if (character === "{") depth += 1;
      else if (character === "}" && --depth === 0) {
        yield { text: object + chunk.slice(start, place + 1), line: startLine };
        start = -1;
      }
    }
    if (start >= 0) object += chunk.slice(start);
    if (object.length > MAX_OBJECT_CHARACTERS)
      throw rejection(startLine, null, `an object of at most ${MAX_OBJECT_CHARACTERS / 1024 / 1024} MB`);
  }
  if (depth > 0) throw rejection(startLine, null, "an object that is closed again before the file ends");
}

/** A value as the text of a cell, an empty list as the word that empties it; undefined for an object. */
function cellOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return value.length === 0 ? NONE : value.join("|");
  return undefined;
}

function rowOf(text: string, line: number, kind: ImportType): RawRow {
  let object: Record<string, unknown>;
  try {
    object = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw jsonProblem(text, line);
  }
  const positionOf = (column: string): number | null => {
    const tree = parseTree(text);
    const node = tree && findNodeAtLocation(tree, [column]);
    return node ? placeOf(text, node.offset, line).position : null;
  };
  const cells: Record<string, string> = {};
  for (const [name, value] of Object.entries(object)) {
    if (!kind.columns.some((column) => column.name === name)) checkHeader(kind, Object.keys(object), { line });
    const cell = cellOf(value);
    if (cell === undefined)
      throw rejection(line, positionOf(name), `a text, a number, true, false, null or a list of texts as ${name}`);
    cells[name] = cell;
  }
  return { line, cells, positionOf };
}

/**
 * Opens a JSON file of objects (an array or JSON lines) whose keys are column names. It has all columns of the kind: a name that an
 * object leaves out is an empty cell.
 */
export async function openJson(path: string, kind: ImportType): Promise<Omit<RawFile, "name">> {
  const all = objects(path);
  const first = await all.next();
  if (first.done) throw emptyFile(kind);
  const head = rowOf(first.value.text, first.value.line, kind);
  checkHeader(kind, Object.keys(head.cells), { line: first.value.line });
  const header = kind.columns.map(({ name }) => name);
  async function* rows(): AsyncGenerator<RawRow> {
    yield head;
    for await (const { text, line } of all) yield rowOf(text, line, kind);
  }
  return { header, rows: rows() };
}
