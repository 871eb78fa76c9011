import { createHash } from "node:crypto";

import { isLargeChange } from "@marketday/domain/money";

/** The unit of an amount: cents, or a share in parts per million. */
export type AmountUnit = "cents" | "ppm";

/** An amount of money or a share that a file changes. */
export interface AmountChange {
  /** "brown-eggs, Dozen, carmel" */
  subject: string;
  /** The name of its column or property. */
  field: string;
  unit: AmountUnit;
  /** Null: there was none, or there is none any more. */
  before: number | null;
  after: number | null;
  /** Whether it changes by more than the factor that needs a confirmation. */
  isLarge: boolean;
}

/** The amounts that an import changes, large changes first; of each sort at most `KEPT` are listed. */
export interface AmountChanges {
  changes: AmountChange[];
  count: number;
  largeCount: number;
}

/** The large changes that were accepted: all, those of a fingerprint, or none. */
export type Accepted = "all" | { fingerprint: string } | null;

const KEPT = 1_000;

/** An import with large changes of amounts that were not accepted; nothing was written. */
export class LargeChangesRefused extends Error {
  override readonly name = "LargeChangesRefused";
  readonly amounts: AmountChanges;
  /** Identifies exactly these large changes. */
  readonly fingerprint: string;
  constructor(amounts: AmountChanges, fingerprint: string) {
    super(`${amounts.largeCount} large changes of amounts`);
    this.amounts = amounts;
    this.fingerprint = fingerprint;
  }
}

/** Collects the changes of amounts of one import. */
export class AmountComparison {
  readonly #large: AmountChange[] = [];
  readonly #others: AmountChange[] = [];
  readonly #hash = createHash("sha256");
  #count = 0;
  #largeCount = 0;

  /**
   * Adds a change.
   * @param options.reference what the new amount is compared with; default: `before`
   * @param options.isNew whether the subject is new: of these only large changes are listed
   */
  add(
    change: Omit<AmountChange, "isLarge">,
    { reference = change.before, isNew = false }: { reference?: number | null; isNew?: boolean } = {},
  ): void {
    const isLarge = isLargeChange(reference, change.after);
    if (isNew && !isLarge) return;
    this.#count += 1;
    if (isLarge) {
      this.#largeCount += 1;
      this.#hash.update(`${JSON.stringify(change)}\n`);
    }
    const kept = isLarge ? this.#large : this.#others;
    if (kept.length < KEPT) kept.push({ ...change, isLarge });
  }

  /**
   * The changes.
   * @throws LargeChangesRefused when there are large ones that were not accepted, except on a dry run
   */
  finish({ dryRun, accepted }: { dryRun: boolean; accepted: Accepted }): AmountChanges {
    const amounts = {
      changes: [...this.#large, ...this.#others],
      count: this.#count,
      largeCount: this.#largeCount,
    };
    const fingerprint = this.#hash.digest("hex");
    const isAccepted = accepted === "all" || accepted?.fingerprint === fingerprint;
    if (this.#largeCount > 0 && !dryRun && !isAccepted) throw new LargeChangesRefused(amounts, fingerprint);
    return amounts;
  }
}
