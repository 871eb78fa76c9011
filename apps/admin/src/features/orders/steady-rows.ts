/** A list as a person has it before them. */
export interface SteadyRows {
  /** The filter that it was made for. */
  view: string;
  /** Keys of the rows, in the order in which they are shown. */
  keys: readonly number[];
  /** What every row was when it was last read, shown or not. */
  seen: ReadonlyMap<number, unknown>;
  /** Rows that have changed since, or are new. */
  changed: ReadonlySet<number>;
}

/** Changes of more than this part of the rows at once are none of a person: the cutoff gives every box its tote. */
const OF_THE_DAY = 1 / 3;

interface Input<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => number;
  /** The filter as text, and the rows that it finds. */
  view: string;
  found: readonly Row[];
  /** The row that is open: what changes in it is before the person's eyes. */
  openKey: number | null;
}

/**
 * The rows after new data or another filter. Data does not move or remove a row: new ones come last, and those that the filter no longer
 * finds stay until it is changed. Rows are compared by identity: what has not changed must be the same object.
 */
export function nextRows<Row>(
  before: SteadyRows | null,
  { rows, keyOf, view, found, openKey }: Input<Row>,
): SteadyRows {
  const seen = new Map(rows.map((row) => [keyOf(row), row as unknown]));
  const foundKeys = found.map(keyOf);
  if (before === null) return { view, keys: foundKeys, seen, changed: new Set() };
  const fresh = rows.map(keyOf).filter((key) => before.seen.get(key) !== seen.get(key));
  const isOfTheDay = fresh.length > 3 && fresh.length > rows.length * OF_THE_DAY;
  const changed = new Set([...before.changed, ...(isOfTheDay ? [] : fresh)].filter((key) => key !== openKey));
  if (before.view !== view) return { view, keys: foundKeys, seen, changed };
  const stay = before.keys.filter((key) => seen.has(key));
  const known = new Set(stay);
  return { view, keys: [...stay, ...foundKeys.filter((key) => !known.has(key))], seen, changed };
}

/** Rows of an answer as the objects that they were, as far as nothing in them has changed: also when they are in another order. */
export function reuseRows<Row>(
  before: ReadonlyMap<number, Row>,
  rows: readonly Row[],
  keyOf: (row: Row) => number,
): Row[] {
  return rows.map((row) => {
    const known = before.get(keyOf(row));
    return known !== undefined && JSON.stringify(known) === JSON.stringify(row) ? known : row;
  });
}
