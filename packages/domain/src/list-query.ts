/**
 * Filters of lists as they are typed and written in an address: `hub:carmel vendor:"Oak Farm" eggs` (docs/product.md §18). A list has its
 * own names of tokens. Pure: what the values name (a hub, a product) is only known by the server.
 */

import { cleanLine } from "./text.ts";

/** A part of a filter, its value in canonical form. */
export interface Token<Name extends string = string> {
  name: Name;
  value: string;
}

/** Why a part of a filter is not understood, in a sentence. `name`: of a token there is. */
export interface QueryProblem<Name extends string = string> {
  part: string;
  name: Name | null;
  message: string;
}

/** A filter: tokens, and the words that are searched as text, all of which must be found. */
export interface ListQuery<Name extends string = string> {
  tokens: Token<Name>[];
  words: string[];
}
export type ParsedQuery<Name extends string = string> = ListQuery<Name> & { problems: QueryProblem<Name>[] };

/** A value in canonical form, or what is wrong with it, in a sentence. */
export type Checked = { value: string } | { message: string };

/** The names before the colon, each with the check of its values. Several values of one name are alternatives; different names narrow each other. */
export type Vocabulary<Name extends string = string> = Readonly<Record<Name, (value: string) => Checked>>;

/** Characters that a filter has at most. */
export const QUERY_MAX = 500;
/** Words that are searched at most. */
const WORDS_MAX = 10;
const ID_MAX = 2 ** 31 - 1;

export const anyText = (value: string): Checked => ({ value });

/** A slug, or a name that the server finds one by. */
export const lowered = (value: string): Checked => ({ value: value.toLowerCase() });

export const listed =
  (name: string, values: readonly string[]) =>
  (value: string): Checked => {
    const found = value.toLowerCase().replaceAll(/[-\s]/g, "_");
    return values.includes(found)
      ? { value: found }
      : { message: `“${name}” is one of ${values.join(", ")}, not “${value}”.` };
  };

export const numbered =
  (what: string) =>
  (value: string): Checked =>
    /^\d{1,10}$/.test(value) && Number(value) > 0 && Number(value) <= ID_MAX
      ? { value: String(Number(value)) }
      : { message: `Write the number of the ${what}, like 14, not “${value}”.` };

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
export function parseQuery<Name extends string>(vocabulary: Vocabulary<Name>, text: string): ParsedQuery<Name> {
  const problems: QueryProblem<Name>[] = [];
  const problem = (part: string, name: Name | null, message: string) => void problems.push({ part, name, message });
  if (text.length > QUERY_MAX) {
    problem("", null, `A filter has at most ${QUERY_MAX} characters.`);
    return { tokens: [], words: [], problems };
  }
  const isName = (name: string): name is Name => Object.hasOwn(vocabulary, name);
  const tokens = new Map<string, Token<Name>>();
  const plain: Part[] = [];
  for (const part of partsOf(text.replaceAll(/[“”]/g, '"'))) {
    if (part.name === null) {
      if (part.text !== "") plain.push(part);
      continue;
    }
    const name = part.name.toLowerCase();
    const typed = `${part.name}:${part.text}`;
    if (!isName(name)) {
      problem(typed, null, `There is no filter “${part.name}”. There are ${Object.keys(vocabulary).join(", ")}.`);
      continue;
    }
    if (part.text === "") {
      problem(typed, name, `Write a value after “${name}:”.`);
      continue;
    }
    const checked = vocabulary[name](part.text);
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
export const printQuery = ({ tokens, words }: ListQuery): string =>
  [
    ...tokens.map(({ name, value }) => `${name}:${/[\s"“”\\]/.test(value) ? quote(value) : value}`),
    // A number of a run of numbers, or a word with a colon, is only the same word again in quotes.
    ...words.map((word) =>
      /[\s"“”\\:]/.test(word) || (NUMBER_PART.test(word) && words.length > 1) ? quote(word) : word,
    ),
  ].join(" ");
