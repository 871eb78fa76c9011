import { createReadStream } from "node:fs";

import { ImportRefused } from "@marketday/server/lib/file-problem";

/** A header fits into the first bytes of a file. */
const HEAD_BYTES = 64 * 1024;

const AS_CSV = 'Open it, choose Save As, and save it as "CSV UTF-8 (Comma delimited)".';
const rejection = (sentence: string): ImportRefused =>
  new ImportRefused([{ line: 0, position: null, column: null, value: null, right: sentence }]);

/** The first bytes of files that are not text, and the message for each. */
const formats: readonly [start: readonly number[], sentence: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], `This is a workbook (Excel, Numbers or LibreOffice), not a CSV file. ${AS_CSV}`],
  [[0xd0, 0xcf, 0x11, 0xe0], `This is an old Excel workbook (.xls), not a CSV file. ${AS_CSV}`],
  [[0x25, 0x50, 0x44, 0x46], "This is a PDF, not a CSV file. Export the table from the program that made the PDF."],
];

function encodingOf(head: Buffer): "utf-8" | "utf-16le" | "utf-16be" {
  for (const [start, sentence] of formats)
    if (start.every((byte, place) => head[place] === byte)) throw rejection(sentence);
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  if (head.length > 1 && (head[0] === 0) !== (head[1] === 0))
    throw rejection(`This file's text is UTF-16 without a mark that says so. ${AS_CSV}`);
  return "utf-8";
}

/**
 * The text of a spreadsheet's file in pieces, the first one with the header: UTF-8, or UTF-16 with a byte order mark.
 * Invalid UTF-8 becomes U+FFFD.
 * @throws ImportRefused for a workbook
 */
export async function* decodeFile(path: string): AsyncGenerator<string> {
  const source = createReadStream(path) as AsyncIterable<Buffer>;
  let head: Buffer | null = Buffer.alloc(0);
  let decoder = new TextDecoder();
  const start = (bytes: Buffer): string => {
    decoder = new TextDecoder(encodingOf(bytes));
    return decoder.decode(bytes, { stream: true });
  };
  for await (const chunk of source) {
    if (head === null) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD_BYTES && !head.includes(0x0a) && !head.includes(0x0d)) continue;
    yield start(head);
    head = null;
  }
  if (head !== null) yield start(head);
  yield decoder.decode();
}
