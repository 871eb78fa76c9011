import { createHash } from "node:crypto";

import { empty, join, raw, type Sql, sqltag } from "@prisma/client/runtime/client";

/** Builds a statement: values in the template become parameters, statements in it become part of the text. */
export const sql = sqltag;
export { empty, join, raw };
export type { Sql };

/** The number of texts that are prepared. Each connection keeps them until it is closed. */
const most = 400;
const names = new Map<string, string>();
const seen = new Map<string, number>();

/** The name under which a hand-written statement is prepared, or undefined when there are too many of them. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= most) return known;
  const name = `m${createHash("sha1").update(text).digest("base64url")}`;
  names.set(text, name);
  return name;
}

/** The same for statements of Prisma. Lists of different lengths make new texts, so only a repeated text is prepared. */
export function recurringStatementName(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= most) return known;
  const times = (seen.get(text) ?? 0) + 1;
  if (times >= 3) {
    seen.delete(text);
    return statementName(text);
  }
  if (seen.size > 2_000) seen.clear();
  seen.set(text, times);
  return undefined;
}
