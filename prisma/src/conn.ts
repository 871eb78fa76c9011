import type pg from "pg";

import type { PrismaClient } from "../generated/client.ts";
import type { Replica } from "./replica.ts";

/** A transaction on a connection of the pool: made by `transaction`, used by `query` and `execute`. A `Db` is not one, so a forgotten transaction does not compile. */
export class Tx {
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

/** The database: Prisma's client over one pool of connections, which hand-written statements share. */
export type Db = PrismaClient & {
  /** Closes every connection after its current statement. */
  close(): Promise<void>;
};

/** The connection or pool that `query` and `execute` run on; a replica for reads alone. */
export type Conn = Db | Tx | Replica;
