import { NONE } from "./none.ts";

/** A value that a file changes, as text; an empty one is "none". */
export interface FieldChange {
  /** "brown-eggs, Dozen, carmel" */
  subject: string;
  /** The name of its column or property. */
  field: string;
  before: string;
  after: string;
}

/** The values that an import changes, in the order of the file; at most `KEPT` are listed. Amounts are listed separately. */
export interface FieldChanges {
  changes: FieldChange[];
  count: number;
}

const KEPT = 1_000;

/** Collects the changed values of one import. */
export class FieldComparison {
  readonly #changes: FieldChange[] = [];
  #count = 0;

  /** Adds a value if it differs. */
  add(subject: string, field: string, before: string | null | undefined, after: string | null | undefined): void {
    const [from, to] = [before || NONE, after || NONE];
    if (from === to) return;
    this.#count += 1;
    if (this.#changes.length < KEPT) this.#changes.push({ subject, field, before: from, after: to });
  }

  finish(): FieldChanges {
    return { changes: this.#changes, count: this.#count };
  }
}
