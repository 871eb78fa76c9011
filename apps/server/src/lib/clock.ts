import { type Db, query, sql, sqlTransaction } from "@marketday/db";
import { Second } from "@marketday/domain/time";
import { z } from "zod";

/**
 * The only code that reads the time. `now` is the database's time: this process's monotonic time plus a measured offset, so
 * that two servers agree. It never steps back. `elapsed` is monotonic milliseconds, for measuring only.
 */
export interface Clock {
  now(): Date;
  elapsed(): number;
  /** Milliseconds by which the database's time is ahead of this machine's wall clock. */
  offset(): number;
  stop(): void;
}

const SAMPLES = 3;
const Row = z.object({ now: z.date() });

/** Milliseconds: the database's time minus `local`, and the maximum error, half the round trip. */
interface Sample {
  offset: number;
  error: number;
}

/**
 * The most exact of a few samples. All use one connection, so that the wait for a busy pool is not measured. A sample
 * delayed by the network or a busy process has a long round trip and is not used.
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

/** The offset after another measurement: an inexact one changes it only as far as it contradicts it. */
export const combine = (current: Sample, measured: Sample): Sample =>
  measured.error <= current.error * 2
    ? measured
    : {
        offset: Math.min(Math.max(current.offset, measured.offset - measured.error), measured.offset + measured.error),
        error: current.error,
      };

/** Measures at once and again every `everyMs`; the last offset stays while the database is unavailable. */
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
