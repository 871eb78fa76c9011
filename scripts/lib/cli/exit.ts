/** How a command ends, for scripts; the same table stands in `market --help` and in docs/operating.md. */
export const EXIT = {
  /** Done, or all is well. */
  done: 0,
  /** The market said no, or something was found that is not well. Nothing was written. */
  refused: 1,
  /** The command line or a setting is wrong. */
  usage: 2,
  /** A file cannot be taken as it is. Nothing was written. */
  input: 3,
  /** Something we need is away or busy: try again. */
  away: 4,
  /** With `--keep-going`: what could be taken was written, the rest stands in the file of rejected rows. */
  partly: 5,
  /** A defect of ours. */
  defect: 70,
  /** Ctrl-C. Nothing was written. */
  interrupted: 130,
} as const;

/** One of `EXIT`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command that ends with a sentence for people and a code for scripts. `details` stand beside it with `--json`. */
export class CliError extends Error {
  override readonly name = "Refusal";
  readonly code: ExitCode;
  readonly details: Record<string, unknown>;
  constructor(code: ExitCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
