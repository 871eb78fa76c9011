import { constants } from "node:os";

import { isUnderPnpm, whenCallerIsGone } from "./caller.ts";

/** ms. Ctrl-C in a terminal arrives twice: from the terminal, and from pnpm, which passes it on. */
const SAME_SIGNAL_MS = 1_000;

/** Stops what a command started, in reverse order, when it receives a signal or fails. */
export class Lifetime {
  readonly #undo: (() => Promise<unknown>)[] = [];
  #ending: Promise<void> | undefined;
  readonly #stopCode: number;
  #signaledAt: number | undefined;

  /** `stopCode`: exit code after a signal; 0 where being stopped is success, as for a server. */
  constructor({ stopCode = 0 }: { stopCode?: number } = {}) {
    this.#stopCode = stopCode;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        const now = performance.now();
        // The second one ends the process at once, also where the shutdown began by a failure.
        if (now - (this.#signaledAt ?? now) > SAME_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
        this.#signaledAt ??= now;
        void this.end(this.#stopCode);
      });
    }
    if (isUnderPnpm()) whenCallerIsGone(() => void this.end(this.#stopCode));
  }

  /** Whether the shutdown has begun: later failures are caused by it. */
  get ending(): boolean {
    return this.#ending !== undefined;
  }

  /**
   * Starts something that the shutdown ends. A shutdown in the meantime waits until it has started and then ends it, so that
   * nothing is left half-started.
   */
  async hold<T>(starting: Promise<T>, end: (started: T) => Promise<unknown>): Promise<T> {
    this.#undo.push(async () => {
      const started = await starting.catch(() => undefined);
      if (started !== undefined) await end(started);
    });
    return starting;
  }

  /** Ends everything, then the process. */
  async end(code: number): Promise<void> {
    this.#ending ??= (async () => {
      let failed = false;
      for (const undo of this.#undo.toReversed()) {
        try {
          await undo();
        } catch (error) {
          console.error(error);
          failed = true;
        }
      }
      process.exit(code === 0 && failed ? 1 : code);
    })();
    return this.#ending;
  }
}
