import type { CopyValue } from "@marketday/db";
import { isCalendarDate, isWeekday } from "@marketday/domain/calendar-date";

import { sanitizeDescription } from "../../lib/sanitize.ts";

/** How the text of a cell becomes a value. An empty cell is null and comes to nobody's notice here. */
export interface Cell {
  /** The type of its column in Postgres. */
  type: "text" | "int" | "float8" | "boolean" | "text[]" | "date" | "timestamptz";
  /** What would be right: "a price in dollars, such as 4.50". */
  right: string;
  /** The value, or undefined for a text that is none. */
  read(text: string): CopyValue | undefined;
  /** Whether a spreadsheet could take the text for a formula: written with an apostrophe before it. */
  isText: boolean;
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFD]/;

/** Free text of some length, trimmed. */
export const text = (most: number): Cell => ({
  type: "text",
  right: `a text of at most ${most.toLocaleString("en-US")} characters, in UTF-8`,
  read: (given) => (given.length <= most && !CONTROL.test(given) ? given.trim() : undefined),
  isText: true,
});

/** HTML that somebody wrote: what may not be shown is taken out, as everywhere. */
export const html = (most: number): Cell => ({
  type: "text",
  right: `a text of at most ${most.toLocaleString("en-US")} characters, in UTF-8`,
  read: (given) => {
    if (given.length > most || CONTROL.test(given)) return undefined;
    // Most descriptions hold no tag and no entity: they come out as they went in.
    return /[<>&]/.test(given) ? sanitizeDescription(given) : given.trim();
  },
  isText: true,
});

/** A slug: also part of an address, so never all digits and never a word of one (decisions §2). */
export const slug: Cell = {
  type: "text",
  right:
    "a slug of small letters, digits and dashes, such as wildflower-honey, not all digits and none of vendor, subscribed, search",
  read: (given) =>
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(given) &&
    given.length <= 100 &&
    !/^\d+$/.test(given) &&
    !["vendor", "subscribed", "search"].includes(given)
      ? given
      : undefined,
  isText: true,
};

/** Dollars → whole cents. */
export const money: Cell = {
  type: "int",
  right: "an amount in dollars, such as 4.50",
  read: (given) => {
    const found = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(given);
    return found ? Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : undefined;
  },
  isText: false,
};

/** A whole number between two, both included. */
export const whole = (least: number, most: number): Cell => ({
  type: "int",
  right: `a whole number from ${least} to ${most.toLocaleString("en-US")}`,
  read: (given) =>
    /^\d{1,9}$/.test(given) && Number(given) >= least && Number(given) <= most ? Number(given) : undefined,
  isText: false,
});

/** A number above 0. */
export const decimal: Cell = {
  type: "float8",
  right: "a number above 0, such as 12 or 0.5",
  read: (given) => (/^\d{1,7}(\.\d{1,6})?$/.test(given) && Number(given) > 0 ? Number(given) : undefined),
  isText: false,
};

/** Percent → parts per million. */
export const percent = (most: number): Cell => ({
  type: "int",
  right: `a percentage from 0 to ${most}, such as 7 or 2.5`,
  read: (given) => {
    if (!/^\d{1,3}(\.\d{1,4})?%?$/.test(given)) return undefined;
    const ppm = Math.round(Number.parseFloat(given) * 10_000);
    return ppm <= most * 10_000 ? ppm : undefined;
  },
  isText: false,
});

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
  read: (given) => (choices.includes(given) ? given : undefined),
  isText: false,
});

export const email: Cell = {
  type: "text",
  right: "an e-mail address, such as hello@farm.example",
  read: (given) =>
    /^[^\s@"<>]+@[^\s@"<>]+\.[^\s@"<>]+$/.test(given) && given.length <= 254 ? given.toLowerCase() : undefined,
  isText: true,
};

/** Several of something in one cell, with | between them. */
export const list = (one: Cell, most: number): Cell => ({
  type: "text[]",
  right: `at most ${most} of: ${one.right}; with | between them`,
  read: (given) => {
    const items = given
      .split("|")
      .map((item) => item.trim())
      .filter((item) => item !== "");
    if (items.length > most) return undefined;
    const values = items.map((item) => one.read(item));
    return values.every((value) => typeof value === "string") ? values : undefined;
  },
  isText: true,
});

/** A date of the calendar. */
export const date: Cell = {
  type: "date",
  right: "a date such as 2026-11-26",
  read: (given) => (isCalendarDate(given) ? given : undefined),
  isText: false,
};

/** An instant in UTC, to the second. */
export const instant: Cell = {
  type: "timestamptz",
  right: "an instant in UTC such as 2026-11-26T17:00:00Z",
  read: (given) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/.test(given) && !Number.isNaN(Date.parse(given))
      ? given
      : undefined,
  isText: false,
};

/** A path of ours, as banners lead to. */
export const path: Cell = {
  type: "text",
  right: "a path of this market, such as /products/eggs",
  read: (given) => (/^\/([^/\\]|$)/.test(given) && given.length <= 300 ? given : undefined),
  isText: true,
};

/** The English name of a weekday. */
export const weekday: Cell = {
  type: "text",
  right: "a weekday in English, such as Thursday",
  read: (given) => (isWeekday(given) ? given : undefined),
  isText: false,
};
