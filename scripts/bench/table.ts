/** One line of the result. Nothing here fails a build: a number is to be looked at (failures: no test of time). */
export interface Row {
  what: string;
  value: string;
  /** "" where nothing is. */
  wanted: string;
  good: boolean;
}

/** The results as a table for a terminal. */
export function table(rows: readonly Row[]): string {
  const wide = (of: (row: Row) => string) => Math.max(...rows.map((row) => of(row).length), 6);
  const [what, value] = [wide((row) => row.what), wide((row) => row.value)];
  return rows
    .map(
      (row) =>
        `${row.good ? "✓" : "✗"} ${row.what.padEnd(what)}  ${row.value.padEnd(value)}${row.wanted && `  wanted ${row.wanted}`}`,
    )
    .join("\n");
}
