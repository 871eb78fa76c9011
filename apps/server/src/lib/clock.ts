import { type Db, query, sql } from "@marketday/db";
import { Second } from "@marketday/domain/time";
import { z } from "zod";

/**
 * The one place that reads the time. `now` is the database's: this process's clock plus an offset measured against it,
 * so that two servers agree (design: one `now`). `elapsed` is monotonic milliseconds, for measuring only.
 */
export interface Clock {
  now(): Date;
  elapsed(): number;
  /** Measured difference to the database in milliseconds. */
  offset(): number;
  stop(): void;
}

const Row = z.object({ now: z.date() });

async function measure(db: Db): Promise<number> {
  const before = Date.now();
  const [row] = await query(db, sql`select clock_timestamp() as now`, Row);
  const after = Date.now();
  return row ? row.now.getTime() - (before + after) / 2 : 0;
}

/** Measures at once and again every 30 s; a database that is away keeps the last offset. */
export async function databaseClock(db: Db): Promise<Clock> {
  let offset = await measure(db);
  const timer = setInterval(() => {
    measure(db).then(
      (measured) => (offset = measured),
      () => undefined,
    );
  }, 30 * Second.ms);
  timer.unref();
  return {
    now: () => new Date(Math.round(Date.now() + offset)),
    elapsed: () => performance.now(),
    offset: () => offset,
    stop: () => clearInterval(timer),
  };
}
