/** What is wrong in a file, said so that an operator can put it right. */
export interface Problem {
  /** Which file of a folder. */
  file?: string;
  /** Counted from 1; 0: the file as a whole. */
  line: number;
  /** Counted from 1 where it is known: the column of a table, or the character in a line of JSON. */
  position: number | null;
  /** The column's or the field's name. */
  column: string | null;
  /** What stands there, shortened. */
  value: string | null;
  /** What would be right: "a price in dollars, such as 4.50". */
  right: string;
}

/** A file that was not taken; nothing was written. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
  /** The first ones. */
  readonly problems: readonly Problem[];
  readonly count: number;
  constructor(problems: readonly Problem[], count: number = problems.length) {
    super(`${count} ${count === 1 ? "problem" : "problems"}`);
    this.problems = problems;
    this.count = count;
  }
}

/** `--keep-going` over whole files: what was not taken, each with why. */
export interface Rejected {
  rejected: readonly Problem[];
}

const SHOWN = 60;

/** A value as it is shown: short, on one line. */
export function shown(value: string): string {
  const line = value.replaceAll(/\s+/g, " ");
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}… (${value.length.toLocaleString("en-US")} characters)` : line;
}

/** One sentence: `12:4 price is "1e400"; right would be a price in dollars, such as 4.50`. */
export function problemText({ line, position, column, value, right }: Problem): string {
  const place = line === 0 ? "" : `${line}${position === null ? "" : `:${position}`} `;
  const what =
    column === null
      ? ""
      : value === null
        ? `${column} is empty; right would be `
        : `${column} is "${value}"; right would be `;
  return `${place}${what}${right}`;
}
