/** A measurement. It never fails a build (docs/failures.md: no test of time). */
export interface Row {
  what: string;
  value: string;
  /** The limit; "" without one. */
  wanted: string;
  good: boolean;
}

/** The results as a table for a terminal. */
export function table(rows: readonly Row[]): string {
  const widthOf = (of: (row: Row) => string) => Math.max(...rows.map((row) => of(row).length), 6);
  const [what, value] = [widthOf((row) => row.what), widthOf((row) => row.value)];
  return rows
    .map(
      (row) =>
        `${row.good ? "✓" : "✗"} ${row.what.padEnd(what)}  ${row.value.padEnd(value)}${row.wanted && `  wanted ${row.wanted}`}`,
    )
    .join("\n");
}
