import type { Problem } from "./problem.ts";

/** A row of a file before it is understood: its cells by column name. */
export interface RawRow {
  /** The row of the spreadsheet, or the line of the text. */
  line: number;
  cells: Readonly<Record<string, string>>;
  /** Where a column is, for messages. */
  positionOf: (column: string) => number | null;
  /** What is wrong with the row as a whole, or with a cell that cannot be read at all. */
  problems?: readonly Problem[];
  /** Its values may be in the wrong columns: only `problems` is said of it. */
  isShifted?: boolean;
}

export interface RawFile {
  /** Its name, for the audit. */
  name: string;
  /** The columns it has, in order; each is one of the kind's, or has no name and no values. */
  header: readonly string[];
  rows: AsyncIterable<RawRow>;
  /** Whether people see the file as a spreadsheet: places are rows and columns of it. */
  inSheet?: boolean;
  /** How it is written down in the audit and in the stock's history when it is not an imported file. */
  audit?: { action: string; subject: string; data: Readonly<Record<string, unknown>> };
}
