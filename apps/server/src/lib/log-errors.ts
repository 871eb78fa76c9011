import { postgresMessage } from "@marketday/db";

/** Maximum depth of logged causes and members of an AggregateError. */
const MAX_DEPTH = 3;

/** Fields of an error that name a place or a reason and never contain data of a row, a request or a shopper. */
const SAFE_FIELDS = [
  "code",
  "severity",
  "constraint",
  "schema",
  "table",
  "column",
  "dataType",
  "routine",
  "syscall",
  "errno",
  "port",
  "status",
  "statusCode",
  "responseCode",
  "command",
  "decline_code",
  "requestId",
  "retryCount",
] as const;

/** Parts of a message that identify a person or grant access, and their replacements. */
const PRIVATE_TEXT: readonly (readonly [RegExp, string])[] = [
  // Email addresses.
  [/[^\s@<>"'`(),;:=[\]]+@[^\s@<>"'`(),;:=[\]]+\.[a-z]{2,}/gi, "…@…"],
  // Password hashes.
  [/\$(?:argon2\w*|2[aby])\$[^\s"')]+/g, "…"],
  // Stripe's client secrets and keys.
  [/\b(\w{2,5}_[A-Za-z0-9]+)_secret_\w+/g, "$1_secret_…"],
  [/\b(?:sk|rk|whsec)_\w+/g, "…"],
  // JSON web tokens, then every other long token; UUIDs are shorter and stay.
  [/\beyJ[\w-]+(?:\.[\w-]+){1,2}/g, "…"],
  [/\b(?=[\w-]*\d)[\w-]{40,}/g, "…"],
  // User and password of an address.
  [/\/\/[^\s/@]*:[^\s/@]*@/g, "//…@"],
  // Data that Postgres quotes from a row: "Key (email)=(…)", "Failing row contains (…)", "invalid input syntax …: "…"".
  [/\)=\([^)]*\)/g, ")=(…)"],
  [/(row contains )\(.*\)/gs, "$1(…)"],
  [/: "[^"]*"/g, ': "…"'],
];

/**
 * A library's message with personal data, row data and secrets masked. For logs, and for the reasons stored with queued
 * work.
 */
export const maskPrivateText = (text: string): string =>
  PRIVATE_TEXT.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);

/** The masked message of an error: of Prisma's client Postgres's, or the last line, before which it prints the call with its arguments. */
export const reasonOf = (error: Error): string =>
  maskPrivateText(
    error.name.startsWith("PrismaClient")
      ? (postgresMessage(error) ?? error.message.trim().split("\n").at(-1) ?? "")
      : error.message,
  );

/** Logged error: type, message and stack, plus `SAFE_FIELDS`. */
interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  cause?: unknown;
  errors?: unknown[];
  [field: string]: unknown;
}

/**
 * The one serializer for errors in logs (failures.md V11). Only named fields are kept: Postgres's `detail` and `where`
 * hold row contents, Stripe's `raw` and `payment_intent` the client secret, drivers the parameters of a statement.
 */
export function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) {
    if (typeof error === "string") return maskPrivateText(error);
    return typeof error === "object" && error !== null ? { type: error.constructor?.name ?? "Object" } : error;
  }
  const message = reasonOf(error);
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  const type = error.name === "Error" ? error.constructor.name : error.name;
  const logged: LoggedError = { type, message };
  if (frames.length > 0) logged.stack = [`${type}: ${message}`, ...frames].join("\n");
  for (const field of SAFE_FIELDS) {
    const value = (error as unknown as Record<string, unknown>)[field];
    if (typeof value === "string") logged[field] = maskPrivateText(value);
    else if (typeof value === "number") logged[field] = value;
  }
  if (depth < MAX_DEPTH) {
    if (error.cause !== undefined) logged.cause = serializeError(error.cause, depth + 1);
    if (error instanceof AggregateError)
      logged.errors = error.errors.map((member) => serializeError(member, depth + 1));
  }
  return logged;
}
