import { PoolExhausted } from "./pool.ts";

type Bag = Record<string, unknown>;

function bag(value: unknown): Bag | undefined {
  return typeof value === "object" && value !== null ? (value as Bag) : undefined;
}

/** The fields of a driver error that Prisma's adapter keeps: `{ kind, originalCode, originalMessage, constraint? }`. */
function adapterCause(error: unknown): Bag | undefined {
  const found = bag(error);
  const wrapped =
    bag(bag(found?.["meta"])?.["driverAdapterError"]) ?? (found?.["name"] === "DriverAdapterError" ? found : undefined);
  return bag(wrapped?.["cause"]);
}

/** Prisma's own codes, for errors of which it keeps nothing. */
const fromPrisma: Record<string, string> = { P2002: "23505", P2003: "23503", P2011: "23502", P2034: "40001" };

/** The five-character SQLSTATE of an error from `query`, a raw pg client or Prisma; undefined when it is none. */
export function sqlState(error: unknown): string | undefined {
  const cause = adapterCause(error);
  const original = cause?.["originalCode"] ?? cause?.["code"];
  if (typeof original === "string" && /^[0-9A-Z]{5}$/.test(original)) return original;
  const code = bag(error)?.["code"];
  if (typeof code !== "string") return undefined;
  if (code in fromPrisma) return fromPrisma[code];
  if (code === "P2010") {
    const inner = bag(bag(error)?.["meta"])?.["code"];
    return typeof inner === "string" ? inner : undefined;
  }
  // "EPIPE" has five characters too; a SQLSTATE always holds a digit among its first three or ends in one.
  return /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) && !/^P\d{4}$/.test(code) ? code : undefined;
}

/** Postgres's message of an error of Prisma's client, which puts it into a sentence about the call; undefined for another error. */
export function postgresMessage(error: unknown): string | undefined {
  const message = adapterCause(error)?.["originalMessage"];
  return typeof message === "string" ? message : undefined;
}

/** The constraint a statement broke, by its name in Postgres. */
export function brokenConstraint(error: unknown): string | undefined {
  const direct = bag(error)?.["constraint"];
  if (typeof direct === "string") return direct;
  const index = bag(adapterCause(error)?.["constraint"])?.["index"];
  return typeof index === "string" ? index : undefined;
}

/** Whether a unique index rejected the row; the index of that name, if one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return sqlState(error) === "23505" && (constraint === undefined || brokenConstraint(error) === constraint);
}

/** Serialization failure or deadlock: the same transaction may succeed when tried again (docs/failures.md D4). */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

const unreachable = /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN/;
const lost =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|is not queryable|Server has closed the connection|Can't reach database server|Unable to start a transaction/;
/** 08 connection, 53 resources, 57014 statement timeout, 57P0x shutting down or starting, 55P03 lock timeout, 25P02 after the error of another, 25P03 idle. */
const busy = /^(08|53)|^(57014|57P01|57P02|57P03|55P03|25P02|25P03)$/;

/** Whether the database is unreachable, starting or overloaded: the response is 503 and "try again". */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof PoolExhausted) return true;
  const state = sqlState(error);
  if (state) return busy.test(state) || isConflict(error);
  const { code, message } = bag(error) ?? {};
  if (typeof code === "string" && (unreachable.test(code) || /^P(1001|1002|1008|1017|2024|2028)$/.test(code)))
    return true;
  return typeof message === "string" && (unreachable.test(message) || lost.test(message));
}

const notConnected =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|timeout exceeded when trying to connect|Can't reach database server|Unable to start a transaction/;

/**
 * Whether the transaction of an error of `isUnavailable` was certainly not committed: it had no connection, or Postgres sent an
 * error. When the connection was lost, the answer to a COMMIT may have been lost with it.
 */
export function isRolledBack(error: unknown): boolean {
  if (error instanceof PoolExhausted) return true;
  const state = sqlState(error);
  if (state) return !state.startsWith("08");
  const { code, message } = bag(error) ?? {};
  if (typeof code === "string" && (notConnected.test(code) || /^P(1001|1002|2024)$/.test(code))) return true;
  return typeof message === "string" && notConnected.test(message);
}

/** Whether a trigger rejected a personal row of a deleted customer (docs/failures.md L2). */
export const isCustomerDeleted = (error: unknown): boolean => sqlState(error) === "MD001";
