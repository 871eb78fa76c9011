import {
  ORDER_TOKEN_VALUES,
  ORDER_TOKENS,
  type OrderQueryProblem,
  type OrderToken,
  type OrderTokenName,
  parseOrderQuery,
  printOrderQuery,
} from "@marketday/domain/order-query";

/** What is in the filter box: tokens as chips, then the text that is typed. */
export interface FilterDraft {
  chips: readonly OrderToken[];
  text: string;
}

/** The box for the filter of an address: its tokens as chips, its words and what it does not understand as text. */
export function draftOf(q: string): FilterDraft {
  const { tokens, words, problems } = parseOrderQuery(q);
  const text = [printOrderQuery({ tokens: [], words }), ...problems.map(({ part }) => part)].filter(Boolean).join(" ");
  return { chips: tokens, text };
}

const merged = (chips: readonly OrderToken[], more: readonly OrderToken[]): OrderToken[] => [
  ...chips,
  ...more.filter(({ name, value }) => !chips.some((chip) => chip.name === name && chip.value === value)),
];

/** The part that is being typed at the end of a text: a word, or the value of a token. */
export type TypedPart = { kind: "word"; text: string } | { kind: "value"; name: string; text: string };

const VALUE = /(?:^|\s)(?<name>\p{L}+):(?:"(?<quoted>[^"]*)|(?<plain>[^\s"]*))$/u;
const WORD = /(?:^|\s)(?<word>[^\s":]+)$/u;

export function typedPart(text: string): TypedPart | null {
  const value = VALUE.exec(text)?.groups;
  if (value && !value["plain"]?.startsWith("//"))
    return { kind: "value", name: value["name"]!.toLowerCase(), text: value["quoted"] ?? value["plain"] ?? "" };
  const word = WORD.exec(text)?.groups?.["word"];
  return word === undefined ? null : { kind: "word", text: word };
}

/** The text without the part that is being typed. */
const withoutPart = (text: string): string =>
  text.replace(VALUE, "").replace(typedPart(text)?.kind === "word" ? WORD : /$/, "");

/** The text without the token that is being typed: it is not searched for before it is finished. */
const finishedText = (text: string): string => (typedPart(text)?.kind === "value" ? text.replace(VALUE, "") : text);

/** The filter that is searched for now: chips, and of the text what is finished. */
export function searchedQuery({ chips, text }: FilterDraft): string {
  const { tokens, words } = parseOrderQuery(finishedText(text));
  return printOrderQuery({ tokens: merged(chips, tokens), words });
}

/**
 * The box after its text is finished (Enter, or the focus has left): its tokens become chips. Text with something that is not understood
 * stays as it is typed, with what is wrong.
 */
export function finishText({ chips, text }: FilterDraft): FilterDraft & { problem: OrderQueryProblem | null } {
  const { tokens, words, problems } = parseOrderQuery(text);
  const [problem] = problems;
  if (problem) return { chips, text, problem };
  return { chips: merged(chips, tokens), text: printOrderQuery({ tokens: [], words }), problem: null };
}

/** The box after a space: a finished token at its end becomes a chip. */
export function takeToken(draft: FilterDraft): FilterDraft {
  const part = typedPart(draft.text.trimEnd());
  if (part?.kind !== "value" || !/\s$/.test(draft.text) || isInQuotes(draft.text)) return draft;
  const rest = draft.text.trimEnd().replace(VALUE, "");
  const { tokens, problems } = parseOrderQuery(draft.text.slice(rest.length));
  return problems.length > 0
    ? draft
    : { chips: merged(draft.chips, tokens), text: rest === "" ? "" : `${rest.trim()} ` };
}

const isInQuotes = (text: string): boolean => (text.match(/"/g)?.length ?? 0) % 2 === 1;

/** The box after a suggestion was taken in place of what is being typed. */
export function takeValue({ chips, text }: FilterDraft, token: OrderToken): FilterDraft {
  return { chips: merged(chips, [token]), text: withoutPart(text).trim() };
}

/** The box with the name of a token begun. */
export function beginToken({ chips, text }: FilterDraft, name: OrderTokenName): FilterDraft {
  const before = withoutPart(text).trim();
  return { chips, text: `${before === "" ? "" : `${before} `}${name}:` };
}

/** Names that begin with a text. */
export const namesFor = (text: string): OrderTokenName[] =>
  ORDER_TOKENS.filter((name) => name.startsWith(text.toLowerCase()));

/** Values of a name with a fixed list that a text begins or is in; null: the server knows them. */
export function fixedValues(name: string, text: string): readonly string[] | null {
  const lists: Readonly<Record<string, readonly string[]>> = { ...ORDER_TOKEN_VALUES, owes: ["yes", ">20"] };
  const values = lists[name];
  return values?.filter((value) => value.includes(text.toLowerCase())) ?? null;
}

export const isTokenName = (name: string): name is OrderTokenName => (ORDER_TOKENS as readonly string[]).includes(name);
