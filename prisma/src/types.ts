import pg from "pg";

import { Prisma } from "../generated/client.ts";

type Parse = (text: string) => unknown;

/** Parses a number that JavaScript holds exactly, and throws otherwise: money and ids must not be rounded. */
function exact(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`The number ${text} from the database does not fit a JavaScript number.`);
  }
  return value;
}

/** `2026-01-31 10:15:00.123+00`, as every session writes it: all connections run with TimeZone UTC. */
function instant(text: string): Date {
  const date = new Date(`${text.replace(" ", "T").replace(/\+00$/, "")}Z`);
  if (Number.isNaN(date.getTime())) throw new RangeError(`${text} from the database is not an instant.`);
  return date;
}

const verbatim: Parse = (text) => text;
const json: Parse = (text) => JSON.parse(text) as unknown;

const scalars: [oid: number, arrayOid: number, parse: Parse][] = [
  [16, 1000, (text) => text === "t"],
  [20, 1016, exact],
  [21, 1005, Number],
  [23, 1007, Number],
  [25, 1009, verbatim],
  [114, 199, json],
  [700, 1021, Number],
  [701, 1022, Number],
  [1043, 1015, verbatim],
  [1082, 1182, verbatim],
  [1114, 1115, instant],
  [1184, 1185, instant],
  [1700, 1231, exact],
  [2950, 2951, verbatim],
  [3802, 3807, json],
];

const parsers = new Map<number, Parse>();
for (const [oid, arrayOid, parse] of scalars) {
  parsers.set(oid, parse);
  parsers.set(arrayOid, (text) =>
    (pg.types as unknown as { arrayParser: { create(text: string, parse: Parse): { parse(): unknown[] } } }).arrayParser
      .create(text, parse)
      .parse(),
  );
}

/**
 * The JavaScript types of the values of hand-written statements: timestamptz and timestamp as Date, date as "YYYY-MM-DD", int and
 * numeric as number (throws beyond 2^53), json parsed, arrays of these as arrays, bytea as Buffer, everything else as text.
 */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary"): Parse =>
    (format === "binary" ? undefined : parsers.get(oid)) ??
    (pg.types.getTypeParser as (oid: number, format?: string) => Parse)(oid, format),
};

/** A parameter as Postgres understands it. Objects become JSON; an array is a Postgres array, JSON arrays are given as text. */
export function toParameter(value: unknown): unknown {
  if (value === undefined) throw new TypeError("A parameter of a statement is undefined; null was meant?");
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(toParameter);
  return value;
}

/** The same for a statement that Prisma's client sends. */
export function toPrismaParameter(value: unknown): unknown {
  const parameter = toParameter(value);
  const isJson = typeof parameter === "object" && parameter !== null && !Array.isArray(parameter);
  return isJson && !ArrayBuffer.isView(parameter) ? JSON.stringify(parameter) : parameter;
}

function valueFromPrisma(value: unknown): unknown {
  if (typeof value === "bigint") return exact(String(value));
  if (Prisma.Decimal.isDecimal(value)) return exact(String(value));
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Array.isArray(value) ? value.map(valueFromPrisma) : value;
}

/** The rows of Prisma's `$queryRaw` with the values of `rowTypes`. A `date` looks like an instant: it must be cast to text. */
export const fromPrisma = (rows: readonly object[]): object[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, valueFromPrisma(value)])));
