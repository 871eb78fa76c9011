import { randomInt, randomUUID } from "node:crypto";

import { type Db, poolOf } from "@marketday/db";

/** A statement of a pg client. */
interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}
/** The part of a pool's connection that a replay uses. */
export interface BareClient {
  query(statement: Statement): Promise<{ command: string }>;
  release(): void;
}

/** Records the statements sent to Postgres while `work` runs, with their values, BEGIN and COMMIT included. */
export async function recordStatements(db: Db, work: () => Promise<unknown>): Promise<Statement[]> {
  const pool = poolOf(db);
  const client = await pool.connect();
  // A pool's connections have a separate class, whose prototype is patched.
  const connection = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown };
  client.release();
  const { query } = connection;
  const recorded: Statement[] = [];
  connection.query = function record(this: unknown, ...args: unknown[]) {
    const [first, values] = args as [Statement | string, unknown[] | undefined];
    if (typeof first === "string") recorded.push({ text: first, ...(Array.isArray(values) && { values }) });
    else
      recorded.push({
        text: first.text,
        ...(first.name && { name: first.name }),
        ...(first.values && { values: [...first.values] }),
      });
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    connection.query = query;
  }
  return recorded;
}

/**
 * The recorded statements for another order of the same shopper: the ids of the attempt, payment, order and key are
 * replaced by new ones everywhere, also within JSON.
 */
export function replayAs(statements: readonly Statement[], ids: { uuids: string[]; orderId: number }): Statement[] {
  const orderId = randomInt(100_000_000, 1_000_000_000);
  const swaps = new Map([
    [String(ids.orderId), String(orderId)],
    ...ids.uuids.map((id) => [id, randomUUID()] as const),
  ]);
  const swap = (value: unknown): unknown => {
    if (value === ids.orderId) return orderId;
    if (Array.isArray(value)) return value.map(swap);
    if (typeof value !== "string") return value;
    let text = value;
    for (const [from, to] of swaps) text = text.replaceAll(from, to);
    return text;
  };
  return statements.map((each) => (each.values ? { ...each, values: each.values.map(swap) } : each));
}

/** Sends the statements one after the other, without any other work. */
export async function replay(client: BareClient, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) {
    const { command } = await client.query(statement);
    if (/^commit/i.test(statement.text) && command !== "COMMIT") throw new Error("A replayed order was rolled back.");
  }
}
