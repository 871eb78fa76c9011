import type pg from "pg";

import type { Prisma, PrismaClient } from "../generated/client.ts";

/** The database: Prisma's client over one pool of connections, which SQL by hand shares. */
export type Db = PrismaClient & {
  /** Closes every connection after its current statement. */
  close(): Promise<void>;
};

declare const open: unique symbol;
/**
 * A transaction of Prisma's client: made by `transaction`. A `Db` has everything that it has, so it is marked: a forgotten
 * transaction does not compile.
 */
export type Tx = Prisma.TransactionClient & { readonly [open]: true };

/** A transaction of SQL by hand alone, for the hot writes: made by `sqlTransaction`, used by `query` and `execute`. */
export class SqlTx {
  readonly #client: pg.PoolClient;
  #open = true;
  constructor(client: pg.PoolClient) {
    this.#client = client;
  }
  /** The connection, until the transaction ends. */
  get client(): pg.PoolClient {
    if (!this.#open) throw new Error("A statement came after the end of its transaction; an await is missing.");
    return this.#client;
  }
  close(): void {
    this.#open = false;
  }
}

/** Prisma's client, on the database or in its transaction. */
export type Client = Db | Tx;

/** A transaction of either kind: what both need takes it, and runs SQL by hand in it. */
export type AnyTx = Tx | SqlTx;

/** Whatever can run one SQL statement: `query` and `execute` take it. */
export type Conn = Client | SqlTx;
