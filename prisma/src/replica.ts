import pg from "pg";

import type { Db } from "./conn.ts";
import { isConflict, isUnavailable } from "./errors.ts";
import { createPool, type Pool, type PoolSettings, withClient } from "./pool.ts";

/** Time for which a replica that failed gets no statements, ms. */
const PAUSE_MS = 5_000;

/** A position in the write-ahead log, in bytes; null where there is none. */
async function positionOf(client: pg.ClientBase, expression: string): Promise<bigint | null> {
  const { rows } = await client.query<{ position: string | null }>(
    `select (${expression} - '0/0'::pg_lsn)::text as position`,
  );
  const position = rows[0]?.position ?? null;
  return position === null ? null : BigInt(position);
}

/**
 * A streaming replica for reads whose results are cached. It answers only when it has replayed every change that this process was
 * notified of, so that an entry which a notification made stale is never loaded again with the old data. In all other cases the
 * primary answers: while the replica lags, while it is unreachable, and before the first `noteChange`.
 */
export class Replica {
  /** Prisma's client and SQL by hand, for reads outside transactions. */
  readonly db: Db;
  readonly #pool: Pool;
  readonly #primary: Pool;
  readonly #onError: (error: Error) => void;
  /** How far each connection's server had replayed; several replicas may share one address. */
  readonly #replayed = new WeakMap<pg.ClientBase, bigint>();
  /** The position that must be replayed; null: not known. */
  #needed: bigint | null = null;
  #changes = 0;
  #isNotified = false;
  #asking: Promise<void> | undefined;
  #pausedUntil = -Infinity;

  constructor(settings: PoolSettings, primary: Pool, openDb: (settings: PoolSettings, pool: Pool) => Db) {
    this.#onError = settings.onPoolError ?? (() => undefined);
    this.#pool = createPool(settings);
    this.#primary = primary;
    this.#pool.lend = (work) => this.#read(work);
    this.db = openDb(settings, this.#pool);
  }

  /** Call it when notifications are lost: until the next `noteChange` the primary answers everything. */
  noteLoss(): void {
    this.#isNotified = false;
    this.#needed = null;
  }

  /** Call it for each notification, and when they are received again. Resolves when the position is known. */
  noteChange(): Promise<void> {
    this.#isNotified = true;
    this.#needed = null;
    this.#changes += 1;
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  async #ask(): Promise<void> {
    try {
      for (let seen = -1; seen !== this.#changes;) {
        seen = this.#changes;
        const position = await withClient(this.#primary, (client) => positionOf(client, "pg_current_wal_insert_lsn()"));
        if (seen === this.#changes && this.#isNotified) this.#needed = position;
      }
    } catch (error) {
      // Until the next change the primary answers everything.
      this.#onError(error as Error);
    }
  }

  /** Runs one reading statement, on the primary where the replica cannot answer it as of now. */
  async #read<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const needed = this.#needed;
    if (needed !== null && performance.now() >= this.#pausedUntil)
      try {
        const answer = await withClient(this.#pool, async (client) =>
          (await this.#hasReplayed(client, needed)) ? { rows: await work(client) } : null,
        );
        if (answer) return answer.rows;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        // A statement that was canceled because replaying went on does not predict the next one.
        if (!isConflict(error)) {
          this.#pausedUntil = performance.now() + PAUSE_MS;
          this.#onError(error as Error);
        }
      }
    return withClient(this.#primary, work);
  }

  async #hasReplayed(client: pg.ClientBase, needed: bigint): Promise<boolean> {
    const known = this.#replayed.get(client);
    if (known !== undefined && known >= needed) return true;
    const position = await positionOf(client, "pg_last_wal_replay_lsn()");
    if (position === null) return false;
    this.#replayed.set(client, position);
    return position >= needed;
  }
}
