/**
 * The filter of the orders list as it is typed and written in an address: `hub:carmel day:2026-11-26 vendor:"Oak Farm" eggs`
 * (docs/product.md §18). Pure: what the values name (a hub, a product) is only known by the server.
 */

import { isCalendarDate } from "./calendar-date.ts";
import { cleanLine } from "./text.ts";

/** The names before the colon. Several values of one name are alternatives; different names narrow each other. */
export const ORDER_TOKENS = [
  "hub",
  "day",
  "vendor",
  "product",
  "status",
  "money",
  "owes",
  "has",
  "way",
  "point",
  "customer",
  "tote",
  "driver",
] as const;
export type OrderTokenName = (typeof ORDER_TOKENS)[number];

/** The values of the names that have a fixed list. */
export const ORDER_TOKEN_VALUES = {
  status: ["open", "packing", "delivered", "cancelled"],
  money: ["due", "declined", "back_failed", "back", "written_off", "held", "to_charge", "paid", "none"],
  has: ["note", "problem", "auto", "first"],
  way: ["door", "pickup"],
} as const satisfies Partial<Record<OrderTokenName, readonly string[]>>;

/** A part of a filter, its value in canonical form. */
export interface OrderToken {
  name: OrderTokenName;
  value: string;
}

/** Why a part of a filter is not understood, in a sentence. `name`: of a token there is. */
export interface OrderQueryProblem {
  part: string;
  name: OrderTokenName | null;
  message: string;
}

/** A filter: tokens, and the words that are searched as text, all of which must be found. */
export interface OrderQuery {
  tokens: OrderToken[];
  words: string[];
}
export type ParsedOrderQuery = OrderQuery & { problems: OrderQueryProblem[] };

/** Characters that a filter has at most. */
export const ORDER_QUERY_MAX = 500;
/** Words that are searched at most. */
const WORDS_MAX = 10;
const ID_MAX = 2 ** 31 - 1;

/** The delivery days of a `day` value, both included; null: no end. */
export function dayRange(value: string): { from: string | null; to: string | null } {
  const [from = "", to = from] = value.split("..");
  return { from: from || null, to: to || null };
}

/** The amount that must be exceeded, in cents, of an `owes` value. */
export const owedCents = (value: string): number => (value === "yes" ? 0 : Math.round(Number(value.slice(1)) * 100));

type Checked = { value: string } | { message: string };

const listed =
  (name: keyof typeof ORDER_TOKEN_VALUES) =>
  (value: string): Checked => {
    const values: readonly string[] = ORDER_TOKEN_VALUES[name];
    const found = value.toLowerCase().replaceAll(/[-\s]/g, "_");
    return values.includes(found)
      ? { value: found }
      : { message: `“${name}” is one of ${values.join(", ")}, not “${value}”.` };
  };

const numbered =
  (what: string) =>
  (value: string): Checked =>
    /^\d{1,10}$/.test(value) && Number(value) > 0 && Number(value) <= ID_MAX
      ? { value: String(Number(value)) }
      : { message: `Write the number of the ${what}, like 14, not “${value}”.` };

const anyText = (value: string): Checked => ({ value });

function checkDay(value: string): Checked {
  const example = "Write a day like 2026-11-26, or a range like 2026-11-20..2026-11-26";
  const parts = value.split("..");
  const wrong = parts.find((part) => part !== "" && !isCalendarDate(part));
  if (parts.length > 2 || parts.every((part) => part === "")) return { message: `${example}, not “${value}”.` };
  if (wrong !== undefined) return { message: `“${wrong}” is not a date. ${example}.` };
  const { from, to } = dayRange(value);
  if (from !== null && to !== null && from > to)
    return { message: `The range starts after its end. Write it as ${to}..${from}.` };
  return { value: parts.length === 2 && from === to ? parts[0]! : value };
}

function checkOwes(value: string): Checked {
  if (value.toLowerCase() === "yes") return { value: "yes" };
  const [, amount] = /^> ?\$?(\d{1,7}(?:\.\d{1,2})?)$/.exec(value) ?? [];
  if (amount === undefined) return { message: `Write owes:yes, or an amount like owes:>20, not “${value}”.` };
  return { value: Number(amount) === 0 ? "yes" : `>${Number(amount)}` };
}

const CHECKS: Readonly<Record<OrderTokenName, (value: string) => Checked>> = {
  hub: (value) => ({ value: value.toLowerCase() }),
  day: checkDay,
  vendor: anyText,
  product: anyText,
  status: listed("status"),
  money: listed("money"),
  owes: checkOwes,
  has: listed("has"),
  way: listed("way"),
  point: anyText,
  customer: numbered("customer"),
  tote: numbered("tote"),
  driver: numbered("driver"),
};

const isTokenName = (name: string): name is OrderTokenName => (ORDER_TOKENS as readonly string[]).includes(name);

/** A part of a typed filter: the name before its colon, if it has one, and the text without quotes. */
interface Part {
  name: string | null;
  text: string;
  isQuoted: boolean;
}

/** Words, `name:value` and quoted text, with `\"` for a quote in it. A quote that is still open ends with the text. */
const PART =
  /(?<empty>\p{L}+):(?=\s|$)|(?:(?<name>\p{L}+):)?(?:"(?<quoted>(?:\\.|[^"\\])*)(?:"|\\?$)|(?<plain>[^\s"]+))/gu;

function partsOf(text: string): Part[] {
  return [...text.matchAll(PART)].map(({ groups = {} }): Part => {
    const { empty, name, quoted, plain } = groups;
    if (empty !== undefined) return { name: empty, text: "", isQuoted: false };
    const value = cleanLine(quoted?.replaceAll(/\\(.)/gu, "$1") ?? plain ?? "");
    // An address of a web page is a word.
    if (name !== undefined && plain?.startsWith("//")) return { name: null, text: `${name}:${value}`, isQuoted: false };
    return { name: name ?? null, text: value, isQuoted: quoted !== undefined };
  });
}

const NUMBER_PART = /^\+?[\d().\-/]*\d[\d().\-/]*$/;

/** Whether groups of digits are one number, whole or as far as it is typed: "123 456 789", "(317) 555-0142", "+1 317 555". */
function isOneNumber(groups: readonly string[]): boolean {
  const last = groups.at(-1)!.length;
  return (
    groups.length > 1 && groups.length <= 3 && groups.slice(0, -1).every(({ length }) => length === 3) && last <= 4
  );
}

/** Words with numbers in groups put together: an order number as it is read out, a phone number in any way of writing. */
function joinNumbers(words: readonly Part[]): string[] {
  const joined: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    const all = run.flatMap((word) => word.match(/\d+/g) ?? []);
    const groups = all[0] === "1" ? all.slice(1) : all;
    if (groups.length > 0 && isOneNumber(groups)) joined.push(groups.join(""));
    else joined.push(...run);
    run = [];
  };
  for (const { text, isQuoted } of words)
    if (!isQuoted && NUMBER_PART.test(text)) run.push(text);
    else {
      endRun();
      joined.push(text);
    }
  endRun();
  return joined;
}

/** Reads a filter as it was typed. What is not understood is left out, with a sentence in `problems`. Never throws. */
export function parseOrderQuery(text: string): ParsedOrderQuery {
  const problems: OrderQueryProblem[] = [];
  const problem = (part: string, name: OrderTokenName | null, message: string) =>
    void problems.push({ part, name, message });
  if (text.length > ORDER_QUERY_MAX) {
    problem("", null, `A filter has at most ${ORDER_QUERY_MAX} characters.`);
    return { tokens: [], words: [], problems };
  }
  const tokens = new Map<string, OrderToken>();
  const plain: Part[] = [];
  for (const part of partsOf(text.replaceAll(/[“”]/g, '"'))) {
    if (part.name === null) {
      if (part.text !== "") plain.push(part);
      continue;
    }
    const name = part.name.toLowerCase();
    const typed = `${part.name}:${part.text}`;
    if (!isTokenName(name)) {
      problem(typed, null, `There is no filter “${part.name}”. There are ${ORDER_TOKENS.join(", ")}.`);
      continue;
    }
    if (part.text === "") {
      problem(typed, name, `Write a value after “${name}:”.`);
      continue;
    }
    const checked = CHECKS[name](part.text);
    if ("message" in checked) problem(typed, name, checked.message);
    else tokens.set(`${name}:${checked.value}`, { name, value: checked.value });
  }
  const words = [...new Set(joinNumbers(plain))];
  const tooMany = words.splice(WORDS_MAX);
  if (tooMany.length > 0) problem(tooMany.join(" "), null, `Search for at most ${WORDS_MAX} words at once.`);
  return { tokens: [...tokens.values()], words, problems };
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** The canonical text of a filter, tokens first: parsing it gives the same filter. */
export const printOrderQuery = ({ tokens, words }: OrderQuery): string =>
  [
    ...tokens.map(({ name, value }) => `${name}:${/[\s"“”\\]/.test(value) ? quote(value) : value}`),
    // A number of a run of numbers, or a word with a colon, is only the same word again in quotes.
    ...words.map((word) =>
      /[\s"“”\\:]/.test(word) || (NUMBER_PART.test(word) && words.length > 1) ? quote(word) : word,
    ),
  ].join(" ");
