import type { Problem } from "../../lib/file-problem.ts";

/** An unparsed row of a file: its cells by column name. */
export interface RawRow {
  /** The row of the spreadsheet, or the line of the text. */
  line: number;
  cells: Readonly<Record<string, string>>;
  /** The position of a column, for messages. */
  positionOf: (column: string) => number | null;
  /** Problems of the row as a whole, or of unreadable cells. */
  problems?: readonly Problem[];
  /** It is no row of the table, or its values may be in the wrong columns, so only `problems` is reported. */
  isMisplaced?: boolean;
}

export interface RawFile {
  /** Its name, for the audit log. */
  name: string;
  /** Its columns in order; each is one of the kind, or has no name and no values. */
  header: readonly string[];
  rows: AsyncIterable<RawRow>;
  /** Whether the file is a spreadsheet, so that places are rows and columns. */
  inSheet?: boolean;
  /** Its name in the audit log and in the stock history, if it is not an imported file. */
  audit?: { action: string; subject: string; data: Readonly<Record<string, unknown>> };
}
