import { type Db, query, sql, sqlTransaction } from "@marketday/db";
import { Second } from "@marketday/domain/time";
import { z } from "zod";

/**
 * The one place that reads the time. `now` is the database's: this process's monotonic time plus an offset measured against
 * it, so that two servers agree (design: one `now`). It never steps back. `elapsed` is monotonic milliseconds, for measuring
 * only.
 */
export interface Clock {
  now(): Date;
  elapsed(): number;
  /** Difference of this machine's wall clock to the database in milliseconds. */
  offset(): number;
  stop(): void;
}

const SAMPLES = 3;
const Row = z.object({ now: z.date() });

/** Where the database's clock stands beside `local`, and how far that may be off: half the round trip. Milliseconds. */
interface Sample {
  offset: number;
  error: number;
}

/**
 * The best of a few samples, taken on one connection: what a busy pool lets a caller wait is over before the first one.
 * What comes late from the network or a busy process has a long round trip and loses.
 */
const measure = (db: Db, local: () => number): Promise<Sample> =>
  sqlTransaction(db, async (tx) => {
    let best: Sample | null = null;
    for (let taken = 0; taken < SAMPLES; taken += 1) {
      const before = local();
      const [row] = await query(tx, sql`select clock_timestamp() as now`, Row);
      const after = local();
      const sample = { offset: row!.now.getTime() - (before + after) / 2, error: (after - before) / 2 };
      if (best === null || sample.error < best.error) best = sample;
    }
    return best!;
  });

/** The offset after one more measurement: a poor one changes it only as far as it proves it wrong. */
export const combine = (kept: Sample, measured: Sample): Sample =>
  measured.error <= kept.error * 2
    ? measured
    : {
        offset: Math.min(Math.max(kept.offset, measured.offset - measured.error), measured.offset + measured.error),
        error: kept.error,
      };

/** Measures at once and again every `everyMs`; a database that is away keeps the last offset. */
export async function databaseClock(db: Db, everyMs = 30 * Second.ms): Promise<Clock> {
  const origin = Date.now() - performance.now();
  const local = () => origin + performance.now();
  let sample = await measure(db, local);
  let last = 0;
  const read = () => (last = Math.max(last, Math.round(local() + sample.offset)));
  const timer = setInterval(() => {
    measure(db, local).then(
      (measured) => (sample = combine(sample, measured)),
      () => undefined,
    );
  }, everyMs);
  timer.unref();
  return {
    now: () => new Date(read()),
    elapsed: () => performance.now(),
    offset: () => local() + sample.offset - Date.now(),
    stop: () => clearInterval(timer),
  };
}
