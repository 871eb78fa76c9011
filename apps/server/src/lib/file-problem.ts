/** A mistake in a file, with its place and what the file should say instead. */
export interface Problem {
  /** The file in a folder. */
  file?: string;
  /** The row of a spreadsheet, or the line of a text, counted from 1; 0: the file as a whole. */
  line: number;
  /** The column of a spreadsheet, or the character in a line of text, counted from 1; null where it is not known. */
  position: number | null;
  /** Whether `line` and `position` are a row and a column of a spreadsheet. */
  inSheet?: boolean;
  /** The column's or the field's name. */
  column: string | null;
  /** The value in the file, shortened. */
  value: string | null;
  /** What the value should be: "a price in dollars, such as 4.50". Without a column: the whole sentence. */
  right: string;
  /** A message about the value, instead of what it should be. */
  sentence?: string;
}

/** A rejected file; nothing was written. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
  /** The first problems. */
  readonly problems: readonly Problem[];
  readonly count: number;
  constructor(problems: readonly Problem[], count: number = problems.length) {
    super(`${count} ${count === 1 ? "problem" : "problems"}`);
    this.problems = problems;
    this.count = count;
  }
}

/** `--keep-going` over files: the rejected ones with their reasons. */
export interface Rejected {
  rejected: readonly Problem[];
}

const SHOWN = 60;

/** A value in a message: short, on one line. */
export function shown(value: string): string {
  const line = value.replaceAll(/\s+/g, " ");
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}… (${value.length.toLocaleString("en-US")} characters)` : line;
}

/** The letters of a spreadsheet's column: 1 is A, 27 is AA. */
function columnLetters(column: number): string {
  const before = Math.floor((column - 1) / 26);
  return `${before > 0 ? columnLetters(before) : ""}${String.fromCodePoint(65 + ((column - 1) % 26))}`;
}

function placeText({ line, position, inSheet, column }: Problem): string {
  if (line === 0) return column === null ? "" : `${column}: `;
  if (!inSheet) return `${line}${position === null ? "" : `:${position}`} ${column === null ? "" : `${column}: `}`;
  const letters = position === null ? null : `column ${columnLetters(position)}`;
  const cell = column === null ? letters : letters === null ? column : `${column} (${letters})`;
  return `row ${line}${cell === null ? "" : `, ${cell}`}: `;
}

/**
 * A problem as a message: `row 12, price (column F): "cheap" should be an amount in dollars, such as 4.50.`, and in a
 * text file `12:4 price: …`.
 */
export function problemText(problem: Problem): string {
  const { column, value, right, sentence } = problem;
  const text =
    sentence ??
    (column === null
      ? right
      : value === null
        ? `this is ${problem.inSheet ? "empty" : "missing"}. It should be ${right}`
        : `"${value}" should be ${right}`);
  return `${placeText(problem)}${text}${/[.?!]$/.test(text) ? "" : "."}`;
}
