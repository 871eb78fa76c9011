/** A row of a file before it is understood: its cells by column name. */
export interface RawRow {
  line: number;
  cells: Readonly<Record<string, string>>;
  /** Where a column stands, for messages. */
  positionOf: (column: string) => number | null;
}

export interface RawFile {
  /** Its name, for the audit. */
  name: string;
  /** The columns it has; each is one of the kind's. */
  header: readonly string[];
  rows: AsyncIterable<RawRow>;
}
