import { setImmediate as turn } from "node:timers/promises";

interface Entry {
  at: number;
  run: () => unknown;
}

/**
 * Time that passes only by `advance`: timers, requests and their answers happen at their instants, one after another, in an order
 * that does not depend on the machine. What an entry awaits (a real request to the server) takes no time here.
 */
export class Timeline {
  /** ms since the epoch. */
  now: number;
  private readonly entries = new Map<number, Entry>();
  private lastId = 0;
  private readonly onPassed: (now: number) => void;

  constructor(start: number, onPassed: (now: number) => void) {
    this.now = start;
    this.onPassed = onPassed;
  }

  /** Runs something `ms` from now. Returns what `cancel` takes. */
  after(ms: number, run: () => unknown): number {
    const id = ++this.lastId;
    this.entries.set(id, { at: this.now + Math.max(0, Math.round(ms)), run });
    return id;
  }

  cancel(id: number): void {
    this.entries.delete(id);
  }

  /** Runs everything of the next `ms`, and stops earlier when `isDone`. */
  async advance(ms: number, isDone: () => boolean = () => false): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      // Everything that follows from the last entry without waiting.
      await turn();
      if (isDone()) return;
      const next = [...this.entries].reduce<[number, Entry] | null>(
        (first, entry) => (first === null || entry[1].at < first[1].at ? entry : first),
        null,
      );
      if (next === null || next[1].at > end) break;
      this.entries.delete(next[0]);
      this.pass(next[1].at);
      await next[1].run();
    }
    this.pass(end);
    await turn();
  }

  private pass(to: number): void {
    if (to <= this.now) return;
    this.now = to;
    this.onPassed(to);
  }
}
