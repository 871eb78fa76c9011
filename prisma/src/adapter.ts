import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";

import { recurringStatementName } from "./statement.ts";

type Adapter = Awaited<ReturnType<PrismaPg["connect"]>>;
type Transaction = Awaited<ReturnType<Adapter["startTransaction"]>>;

/** A statement that is never sent to Postgres: the adapter returns the connection of Prisma's transaction for it. */
const question = "marketday: which connection";

/** The connection of a transaction of Prisma's. `open` becomes false when the transaction ends. */
export type Lent = { client: pg.PoolClient; open: boolean };

const answers = new Map<number, Lent>();
let requests = 0;

function lend(transaction: Transaction): void {
  const lent: Lent = { client: (transaction as unknown as { client: pg.PoolClient }).client, open: true };
  const { queryRaw, executeRaw } = transaction;
  transaction.queryRaw = async (query) => {
    if (query.sql !== question) return queryRaw.call(transaction, query);
    answers.set(Number(query.args[0]), lent);
    return { columnNames: [], columnTypes: [], rows: [] };
  };
  transaction.executeRaw = async (query) => {
    if (query.sql === "ROLLBACK") lent.open = false;
    if (query.sql !== "COMMIT") return executeRaw.call(transaction, query);
    lent.open = false;
    const { command } = await lent.client.query("COMMIT");
    // After a failed statement Postgres rolls back at COMMIT and reports success.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back, because a statement in it failed.");
    return 0;
  };
}

/** Prisma's adapter over the pool, which also gives hand-written statements the connection of a transaction. */
export class SharedPool extends PrismaPg {
  constructor(pool: pg.Pool) {
    super(pool, { statementNameGenerator: (query) => recurringStatementName(query.sql) as string });
  }
  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await start(isolationLevel);
      lend(transaction);
      return transaction;
    };
    return adapter;
  }
}

/** The connection of an interactive transaction of Prisma's. */
export async function connectionOf(tx: {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
}): Promise<Lent> {
  requests += 1;
  const id = requests;
  await tx.$queryRawUnsafe(question, id);
  const lent = answers.get(id);
  answers.delete(id);
  if (!lent) throw new Error("A statement was given a client that is neither the database nor a transaction of it.");
  return lent;
}
