import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";

import { recurringStatementName } from "./statement.ts";

type Adapter = Awaited<ReturnType<PrismaPg["connect"]>>;
type Transaction = Awaited<ReturnType<Adapter["startTransaction"]>>;

/** Never sent to Postgres: asks the adapter which connection a transaction of Prisma's runs on. */
const question = "marketday: which connection";

/** A connection lent by Prisma's transaction. `open` turns false when that ends. */
export type Lent = { client: pg.PoolClient; open: boolean };

const answers = new Map<number, Lent>();
let asked = 0;

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
    // Postgres answers a COMMIT after a failed statement with a rollback and calls that a success.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back, because a statement in it failed.");
    return 0;
  };
}

/** Prisma's adapter over our pool, which also tells hand-written statements where a transaction runs. */
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
  asked += 1;
  const id = asked;
  await tx.$queryRawUnsafe(question, id);
  const lent = answers.get(id);
  answers.delete(id);
  if (!lent) throw new Error("A statement was given a client that is neither the database nor a transaction of it.");
  return lent;
}
