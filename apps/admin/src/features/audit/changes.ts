import type { AuditEntry } from "@marketday/contracts/admin/audit";

import * as t from "#messages/audit";
import * as session from "#messages/session";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { amountOf, isRecord } from "./words.ts";

/** A value that changed. */
export interface Change {
  field: string;
  before: string;
  after: string;
}

/** Values of a list that are shown; the others are counted. */
const LIST_MAX = 20;

/** An instant as it is stored. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
/** By the stored name, which may be one that there is no longer. */
const permissionWords: Readonly<Record<string, string>> = session.permissions;

/** "endedSessions" → "Ended sessions" */
function fieldName(key: string): string {
  const known = t.fields[key];
  if (known !== undefined) return known;
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A stored value in words: amounts in dollars, lists in a line, what is nested as "name: value". */
function valueWords(key: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return t.nothing;
  if (typeof value === "boolean") return value ? t.yes : t.no;
  const amount = /cents$/i.test(key) ? amountOf(value) : null;
  if (amount !== null) return amount;
  if (/^orderIds?$/.test(key) && typeof value === "number") return formatOrderNumber(value);
  if (typeof value === "string") {
    if (/^permissions?$/.test(key)) return permissionWords[value] ?? value;
    if (INSTANT.test(value)) return t.instant(new Date(value));
    return t.values[value] ?? value;
  }
  if (typeof value === "number") return value.toLocaleString("en-US");
  if (Array.isArray(value)) {
    if (value.length === 0) return t.nothing;
    const shown = value.slice(0, LIST_MAX).map((item: unknown) => valueWords(key, item));
    const rest = value.length - shown.length;
    return [...shown, ...(rest > 0 ? [t.andMore(rest)] : [])].join(isRecord(value[0]) ? "; " : ", ");
  }
  return Object.entries(value)
    .map(([name, inner]) => `${fieldName(name)}: ${valueWords(name, inner)}`)
    .join(", ");
}

/** A list of changes, as writes of several values store it: `{ field, before, after }`. */
const isChange = (item: unknown): item is { field: string; before: unknown; after: unknown } =>
  isRecord(item) && typeof item["field"] === "string" && "before" in item && "after" in item;

/** What was before and what is after, one row per value that differs: of `before` and `after`, of lists of changes, and of `from` and `to`. */
export function changesOf({ data }: Pick<AuditEntry, "data">): Change[] {
  const { before, after, from, to } = data;
  const rows: Change[] = [];
  if ("before" in data && "after" in data) {
    if (isRecord(after) || isRecord(before)) {
      const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
      for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
        const words = { before: valueWords(key, old[key]), after: valueWords(key, now[key]) };
        if (words.before !== words.after) rows.push({ field: fieldName(key), ...words });
      }
    } else rows.push({ field: t.field, before: valueWords("", before), after: valueWords("", after) });
  }
  if ("from" in data && "to" in data && !isRecord(from) && !isRecord(to))
    rows.push({ field: fieldName("to"), before: valueWords("from", from), after: valueWords("to", to) });
  for (const value of Object.values(data))
    if (Array.isArray(value))
      for (const item of value)
        if (isChange(item))
          rows.push({
            field: fieldName(item.field),
            before: valueWords(item.field, item.before),
            after: valueWords(item.field, item.after),
          });
  return rows;
}

/** Numbers that only link rows with one another. */
const HIDDEN = new Set(["actionId", "apiKeyId", "key", "recipient", "shortageId", "variantId", "before", "after"]);

/** What else is stored, as facts. */
export function detailsOf({ data }: Pick<AuditEntry, "data">): { field: string; value: string }[] {
  const isMove = "from" in data && "to" in data;
  return Object.entries(data).flatMap(([key, value]) => {
    if (HIDDEN.has(key) || (isMove && (key === "from" || key === "to"))) return [];
    if (value === null || (Array.isArray(value) && value.every(isChange))) return [];
    return [{ field: fieldName(key), value: valueWords(key, value) }];
  });
}
