import type { CopyValue } from "@marketday/db";
import { type CalendarDate, isCalendarDate } from "@marketday/domain/calendar-date";
import { instantOf } from "@marketday/domain/delivery";
import {
  errorValueSentence,
  serialDay,
  spreadsheetSentence,
  spreadsheetSlugSentence,
} from "@marketday/domain/spreadsheet-text";
import { cleanCode, cleanLine, isEmail } from "@marketday/domain/text";
import { isAccountingDash, numberParts, readCents, readWhole, suggestPoint } from "@marketday/domain/typed-numbers";
import slugify from "@sindresorhus/slugify";

import { sanitizeDescription } from "../../lib/sanitize.ts";

/** Parses the text of a cell. An empty cell is null and is not passed to it. */
export interface Cell {
  /** The type of its column in Postgres. */
  type: "text" | "int" | "float8" | "boolean" | "text[]" | "date" | "timestamptz";
  /** What would be right: "a price in dollars, such as 4.50". */
  right: string;
  /**
   * The value, or undefined for an invalid text.
   * @param text without spaces around it, never empty
   * @param zone the IANA zone of times without one; null: unknown
   */
  read(text: string, zone: string | null): CopyValue | undefined;
  /** The value that an invalid text was probably meant to be. */
  suggest?(text: string): string | null;
  /** A sentence about a text that is probably a mistake, which is refused unless the market has exactly this text; null: it is not. */
  doubt?(text: string): string | null;
  /** Whether it is a name, unit or code, which spreadsheets take for a date or a number; those are taken when confirmed. */
  isName?: true;
  /** Whether the text is compared as it was stored, and so is not cleaned: the name of a file. */
  isVerbatim?: true;
  /** Whether a spreadsheet could read the text as a formula; it is exported with an apostrophe before it. */
  isText: boolean;
}

// oxlint-disable-next-line no-control-regex -- they are searched for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFD]/;

/** A text of more characters than this may have several lines. */
const LINE_MAX = 300;

/** Free text of a maximum length. */
export const text = (most: number): Cell => ({
  type: "text",
  right: `plain text of at most ${most.toLocaleString("en-US")} characters`,
  read: (given) =>
    given.length > most || CONTROL.test(given) ? undefined : most > LINE_MAX ? given : cleanLine(given),
  doubt: errorValueSentence,
  isText: true,
});

/** The name of a picture's file, with the special spaces that some systems write into it. */
export const imageName: Cell = {
  ...text(200),
  read: (given) => (given.length > 200 || CONTROL.test(given) ? undefined : given),
  isVerbatim: true,
};

/** A name or a unit, which a spreadsheet may have taken for a date or a number ("1/2" → "2-Jan"). */
export const label = (most: number, right: string = text(most).right): Cell => ({
  ...text(most),
  right,
  doubt: spreadsheetSentence,
  isName: true,
});

/** HTML, sanitized. */
export const html = (most: number): Cell => ({
  type: "text",
  right: `plain text of at most ${most.toLocaleString("en-US")} characters`,
  read: (given) => {
    if (given.length > most || CONTROL.test(given)) return undefined;
    // Most descriptions have no tag and no entity and stay as they are.
    return /[<>&]/.test(given) ? sanitizeDescription(given) : given.trim();
  },
  doubt: errorValueSentence,
  isText: true,
});

/** A slug: also part of an address, so never all digits and never a reserved word (docs/product.md §2). */
const isSlug = (given: string): boolean =>
  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(given) &&
  given.length <= 100 &&
  !/^\d+$/.test(given) &&
  !["vendor", "subscribed", "search"].includes(given);
export const slug: Cell = {
  type: "text",
  right:
    'a short name in lower-case letters, digits and dashes, such as wildflower-honey. It needs a letter, and "vendor", "subscribed" and "search" are taken',
  read: (given) => (isSlug(cleanCode(given)) ? cleanCode(given) : undefined),
  suggest: (given) => {
    const near = slugify(given);
    return isSlug(near) ? near : null;
  },
  doubt: spreadsheetSlugSentence,
  isName: true,
  isText: true,
};

/** The slug of something else; a check of the kind reports unknown ones with a suggestion. */
export const reference: Cell = { ...text(200), right: "plain text of at most 200 characters" };

/** Dollars → whole cents. The dash of a spreadsheet's accounting format ("$ -") is an empty cell. */
export const money: Cell = {
  type: "int",
  right: "an amount in dollars, such as 4.50",
  suggest: suggestPoint,
  read: (given) => (isAccountingDash(given) ? null : readCents(given)),
  isText: false,
};

/** A whole number in a range, both ends included. */
export const whole = (least: number, most: number): Cell => ({
  type: "int",
  right: `a whole number from ${least} to ${most.toLocaleString("en-US")}`,
  read: (given) => readWhole(given, least, most),
  isText: false,
});

/** A number above 0. */
export const decimal: Cell = {
  type: "float8",
  right: "a number above 0, such as 12 or 0.5",
  suggest: suggestPoint,
  read: (given) => {
    const found = numberParts(given);
    if (!found || found.digits.length > 7 || found.decimals.length > 6) return undefined;
    const value = Number(`${found.digits}.${found.decimals || "0"}`);
    return value > 0 ? value : undefined;
  },
  isText: false,
};

/** Percent off a price → parts per million. */
export const percentOff: Cell = {
  type: "int",
  right: "the percent taken off, from 0 to 100, such as 10 or 2.5",
  suggest: suggestPoint,
  read: (given) => {
    const found = /^(\d{1,3}(?:\.\d{1,4})?)\s*%?$/.exec(given);
    const ppm = Math.round(Number(found?.[1]) * 10_000);
    return ppm <= 1_000_000 ? ppm : undefined;
  },
  isText: false,
};

const YES: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  "1": true,
  no: false,
  false: false,
  "0": false,
};
export const yesNo: Cell = {
  type: "boolean",
  right: "yes or no",
  read: (given) => YES[given.toLowerCase()],
  isText: false,
};

export const choice = (...choices: readonly string[]): Cell => ({
  type: "text",
  right: `one of ${choices.join(", ")}`,
  read: (given) => choices.find((choice) => choice === given.toLowerCase()),
  isText: false,
});

export const email: Cell = {
  type: "text",
  right: "an email address, such as hello@farm.example",
  read: (given) => {
    const clean = cleanCode(given);
    return isEmail(clean) && /@.+\../.test(clean) ? clean.toLowerCase() : undefined;
  },
  suggest: (given) => {
    const [, meant = ""] = /^(?:mailto:|[^<]*<)([^<>?]+)/i.exec(cleanCode(given)) ?? [];
    return isEmail(meant) ? meant.toLowerCase() : null;
  },
  isText: true,
};

/** A list in one cell, separated by |. */
export const list = (one: Cell, most: number): Cell => ({
  type: "text[]",
  right: `at most ${most.toLocaleString("en-US")} values with | between them, each ${one.right}`,
  read: (given, zone) => {
    const items = given
      .split("|")
      .map((item) => item.trim())
      .filter((item) => item !== "");
    if (items.length > most) return undefined;
    const values = items.map((item) => one.read(item, zone));
    return values.every((value) => typeof value === "string") ? values : undefined;
  },
  doubt: (given) => {
    for (const item of given.split("|")) {
      const sentence = one.doubt?.(item.trim());
      if (sentence != null) return sentence;
    }
    return null;
  },
  ...(one.isName && { isName: one.isName }),
  ...(one.isVerbatim && { isVerbatim: one.isVerbatim }),
  isText: true,
});

/** A date as people and spreadsheets write it: 2026-11-26, 11/26/2026 or 11/26/26. */
function readDate(given: string): CalendarDate | undefined {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/.exec(given);
  const [, month = "", day = "", year = ""] = american ?? [];
  const date = american ? `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : given;
  return isCalendarDate(date) ? date : undefined;
}

/** A date of the calendar. */
export const date: Cell = {
  type: "date",
  right: "a date such as 2026-11-26 or 11/26/2026",
  // Spreadsheets write the first moment of a day with it.
  read: (given) => readDate(given.replace(/[T ](?:00?:00(?::00(?:\.0+)?)?Z?|12:00(?::00)? AM)$/i, "")),
  suggest: serialDay,
  isText: false,
};

/** A date and a time on the wall: "2026-11-26 12:00", "11/26/26 5:00 PM". */
export function readLocalTime(given: string): { day: CalendarDate; timeOfDay: string } | undefined {
  const found = /^([\d/-]+)[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?\s*([AP]M)?$/i.exec(given);
  const day = readDate(found?.[1] ?? "");
  if (!found || !day) return undefined;
  const half = found[5]?.toUpperCase();
  const hour = half ? (Number(found[2]) % 12) + (half === "PM" ? 12 : 0) : Number(found[2]);
  const [minute = "", second = "00"] = [found[3], found[4]];
  if (hour > 23 || (half && !/^(0?[1-9]|1[0-2])$/.test(found[2]!)) || minute > "59" || second > "59") return undefined;
  return { day, timeOfDay: `${String(hour).padStart(2, "0")}:${minute}:${second}` };
}

/** An instant, to the second: local time of the row's hub, or with its own zone (2026-11-26T17:00:00Z). */
export const instant: Cell = {
  type: "timestamptz",
  right: "a date and a time such as 2026-11-26 12:00 or 11/26/2026 5:00 PM, by the hub's clock",
  read: (given, zone) => {
    if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(given)) {
      const ms = isCalendarDate(given.slice(0, 10)) ? Date.parse(given.replace(" ", "T")) : Number.NaN;
      return Number.isNaN(ms) ? undefined : new Date(Math.floor(ms / 1000) * 1000).toISOString();
    }
    const local = readLocalTime(given);
    return local && zone !== null ? instantOf(local.day, local.timeOfDay, zone).toISOString() : undefined;
  },
  isText: false,
};

/** A path of the shop, for links of banners. */
export const path: Cell = {
  type: "text",
  right: "a path of this market, such as /products/eggs",
  read: (given) => (/^\/([^/\\]|$)/.test(given) && given.length <= 300 ? given : undefined),
  isText: true,
};
