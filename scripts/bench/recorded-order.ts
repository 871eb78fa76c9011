import { randomInt, randomUUID } from "node:crypto";

import { type Db, poolOf } from "@marketday/db";

/** A statement as a pg client takes it. */
interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}
/** A connection of a pool, as far as a replay needs it. */
export interface BareClient {
  query(statement: Statement): Promise<{ command: string }>;
  release(): void;
}

/** Writes down every statement that reaches Postgres while `work` runs, BEGIN and COMMIT too, with its values. */
export async function recordStatements(db: Db, work: () => Promise<unknown>): Promise<Statement[]> {
  const pool = poolOf(db);
  const one = await pool.connect();
  // Connections of a pool are of a class of its own.
  const connection = Object.getPrototypeOf(one) as { query: (...args: unknown[]) => unknown };
  one.release();
  const { query } = connection;
  const seen: Statement[] = [];
  connection.query = function record(this: unknown, ...args: unknown[]) {
    const [first, values] = args as [Statement | string, unknown[] | undefined];
    if (typeof first === "string") seen.push({ text: first, ...(Array.isArray(values) && { values }) });
    else
      seen.push({
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
  return seen;
}

/**
 * The recorded statements as those of another order of the same shopper: what must be its own (attempt, payment, order,
 * key) is drawn anew wherever it stands, also within JSON.
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
  return statements.map((one) => (one.values ? { ...one, values: one.values.map(swap) } : one));
}

/** Sends them one after the other, as a client without a program behind it would. */
export async function replay(client: BareClient, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) {
    const { command } = await client.query(statement);
    if (/^commit/i.test(statement.text) && command !== "COMMIT") throw new Error("A replayed order was rolled back.");
  }
}
