import pg from "pg";

export type PoolSettings = {
  url: string;
  /** The maximum number of connections; default 10. */
  poolSize?: number;
  applicationName?: string;
  /** Called with the errors of broken idle connections, which are replaced automatically. */
  onPoolError?: (error: Error) => void;
  /** The statement timeout, ms, default 4000; 0 is no limit (long reads of scripts). */
  statementTimeoutMs?: number;
  /** Multiplies every timeout; default 1, or the factor of `setTimeoutFactor`. */
  timeoutFactor?: number;
};

let defaultTimeoutFactor = 1;

/** For tests on a busy machine: the factor of pools that are created from now on. */
export function setTimeoutFactor(times: number): void {
  defaultTimeoutFactor = times;
}

/** The factor of every timeout of a pool with these settings. */
export const timeoutFactorOf = ({ timeoutFactor = defaultTimeoutFactor }: PoolSettings): number => timeoutFactor;

/** Callers that wait for a connection at the same time. */
const MOST_WAITING = 200;

/** No connection of the pool became free in time: no statement was sent. */
export class PoolExhausted extends Error {
  override name = "PoolExhausted";
}

/** Postgres rolled back a transaction that was to be committed. */
class RolledBack extends Error {
  constructor() {
    super("The transaction was rolled back, because a statement in it failed.");
  }
}

/** The message of the error that `pg-pool` throws when `connectionTimeoutMillis` is over; its errors have no code. */
const POOL_TIMEOUT = "timeout exceeded when trying to connect";

const noise = /^\s*(begin|commit|rollback|set transaction)\b/i;

/** A pool that rejects callers who would wait too long, for Prisma's client and for SQL by hand alike. */
export class Pool extends pg.Pool {
  /** Lends a connection for one statement outside transactions; a replica chooses whose. */
  lend = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => withClient(this, work);

  constructor(config: pg.PoolConfig) {
    super(config);
    const connect = super.connect.bind(this) as () => Promise<pg.PoolClient>;
    this.connect = (async () => {
      // A caller beyond this number would wait in vain and is rejected (docs/failures.md D6).
      if (this.waitingCount >= MOST_WAITING) throw new PoolExhausted("too many wait for a connection");
      try {
        return await connect();
      } catch (error) {
        throw error instanceof Error && error.message === POOL_TIMEOUT
          ? new PoolExhausted("no connection became free", { cause: error })
          : error;
      }
    }) as pg.Pool["connect"];
    // Unlike that of `pg.Pool`, its connection outlives an error that Postgres answers, such as a broken constraint.
    this.query = ((...args: never[]) =>
      this.lend((client) => (client.query as (...all: never[]) => Promise<unknown>).apply(client, args))) as never;
  }
}

/** The recorded statements of a pool, while they are counted, and the end of each of its connections. */
type Inside = { listeners: Set<string[]>; ends: Set<Promise<void>>; closing: boolean };
const insides = new WeakMap<object, Inside>();

/**
 * docs/failures.md §0: the database's limits fire before Prisma's own. `default_transaction_isolation` saves the statement
 * that would set READ COMMITTED in each transaction.
 */
export function createPool(settings: PoolSettings): Pool {
  const timeoutFactor = timeoutFactorOf(settings);
  const statementMs = settings.statementTimeoutMs ?? 4_000 * timeoutFactor;
  const inside: Inside = { listeners: new Set(), ends: new Set(), closing: false };
  const { listeners, ends } = inside;

  class Connection extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // A connection that breaks while it is in use fails its statement; an unhandled event would end the process.
      this.on("error", () => undefined);
      const ended = new Promise<void>((resolve) => this.once("end", () => resolve()));
      this.once("connect", () => ends.add(ended));
      void ended.then(() => ends.delete(ended));
    }
    override query(...args: never[]): never {
      const first = args[0] as string | { text?: string } | undefined;
      const text = typeof first === "string" ? first : (first?.text ?? "");
      if (listeners.size > 0 && !noise.test(text)) for (const listener of listeners) listener.push(text);
      const result = (super.query as (...all: never[]) => unknown)(...args);
      if (!(result instanceof Promise)) return result as never;
      return (result as Promise<pg.QueryResult>).then(
        (done) => {
          // After a swallowed error Postgres answers COMMIT with ROLLBACK.
          if (done.command === "ROLLBACK" && /^commit$/i.test(text)) throw new RolledBack();
          return done;
        },
        (error: Error) => {
          // Half-open: the result may still arrive and would be taken for the next statement's.
          if (error.message === "Query read timeout") void this.end();
          throw error;
        },
      ) as never;
    }
  }

  const pool = new Pool({
    connectionString: settings.url,
    Client: Connection,
    max: settings.poolSize ?? 10,
    application_name: settings.applicationName ?? "marketday",
    connectionTimeoutMillis: 2_000 * timeoutFactor,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    lock_timeout: 2_000 * timeoutFactor,
    statement_timeout: statementMs,
    ...(statementMs > 0 && { query_timeout: statementMs + 1_000 * timeoutFactor }),
    idle_in_transaction_session_timeout: 10_000 * timeoutFactor,
    options: "-c TimeZone=UTC -c default_transaction_isolation=read\\ committed",
  });
  pool.on("error", (error: Error & { client?: unknown }) => {
    // The pool adds the connection to the error, which would fill a log.
    delete error.client;
    if (!inside.closing) settings.onPoolError?.(error);
  });
  insides.set(pool, inside);
  return pool;
}

/** Ends a pool and waits until each connection is closed, so that Postgres may be stopped right after. */
export async function closePool(pool: Pool): Promise<void> {
  const inside = insides.get(pool);
  if (inside) inside.closing = true;
  await pool.end();
  if (inside) await Promise.all(inside.ends);
}

/** Records each statement that reaches Postgres from now on, without BEGIN, COMMIT and ROLLBACK. */
export function watchStatements(pool: Pool): { stop(): string[] } {
  const listeners = insides.get(pool)?.listeners;
  const statements: string[] = [];
  listeners?.add(statements);
  return {
    stop() {
      listeners?.delete(statements);
      return statements;
    },
  };
}

/** Runs `work` with a connection of the pool. The pool closes one that broke instead of lending it again. */
export async function withClient<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
