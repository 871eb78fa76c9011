/** Exit codes of commands; `market --help` and docs/operating.md have the same table. */
export const EXIT = {
  /** Done, or all is well. */
  done: 0,
  /** The market refused, or a check found a problem. Nothing was written. */
  refused: 1,
  /** The command line or a setting is wrong. */
  usage: 2,
  /** A file cannot be imported as it is. Nothing was written. */
  input: 3,
  /** The database or a provider is unavailable or busy: try again. */
  away: 4,
  /** With `--keep-going`: valid rows were written, the others are in the file of rejected rows. */
  partly: 5,
  /** A bug in Marketday. */
  defect: 70,
  /** Ctrl-C. Nothing was written. */
  interrupted: 130,
} as const;

/** One of `EXIT`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The error that ends a command with a sentence for people and a code for scripts. `--json` prints `details` too. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: ExitCode;
  readonly details: Record<string, unknown>;
  constructor(code: ExitCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Errors of the file system that are no bug, by `error.code`. */
const FILE_PROBLEMS: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `No permission for ${path}: this account may not read or write there.`,
  EPERM: (path) => `No permission for ${path}: this account may not read or write there.`,
  EROFS: (path) => `${path} is on a read-only disk: choose another folder (in a container: one below /market).`,
  ENOSPC: (path) => `The disk is full: ${path} could not be written.`,
  EDQUOT: (path) => `The disk is full for this account: ${path} could not be written.`,
};

/** The sentence for an error of the file system by its code; undefined for an unknown one. */
export const fileProblem = (code: string, path: string): string | undefined => FILE_PROBLEMS[code]?.(path);
