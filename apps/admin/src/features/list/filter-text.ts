import {
  type ListQuery,
  parseQuery,
  printQuery,
  type QueryProblem,
  type Token,
  type Vocabulary,
} from "@marketday/domain/list-query";

/** The tokens of a list, and the values that are offered for those with a fixed list. */
export interface FilterTokens<Name extends string> {
  vocabulary: Vocabulary<Name>;
  fixed: Partial<Record<Name, readonly string[]>>;
}

/** What is in the filter box: tokens as chips, then the text that is typed. */
export interface FilterDraft<Name extends string = string> {
  chips: readonly Token<Name>[];
  text: string;
}

/** The box for the filter of an address: its tokens as chips, its words and what it does not understand as text. */
export function draftOf<Name extends string>({ vocabulary }: FilterTokens<Name>, q: string): FilterDraft<Name> {
  const { tokens, words, problems } = parseQuery(vocabulary, q);
  const text = [printQuery({ tokens: [], words }), ...problems.map(({ part }) => part)].filter(Boolean).join(" ");
  return { chips: tokens, text };
}

const merged = <Name extends string>(chips: readonly Token<Name>[], more: readonly Token<Name>[]): Token<Name>[] => [
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
export function searchedQuery<Name extends string>(
  { vocabulary }: FilterTokens<Name>,
  { chips, text }: FilterDraft<Name>,
): string {
  const { tokens, words } = parseQuery(vocabulary, finishedText(text));
  return printQuery({ tokens: merged(chips, tokens), words });
}

/**
 * The box after its text is finished (Enter, or the focus has left): its tokens become chips. Text with something that is not understood
 * stays as it is typed, with what is wrong.
 */
export function finishText<Name extends string>(
  { vocabulary }: FilterTokens<Name>,
  { chips, text }: FilterDraft<Name>,
): FilterDraft<Name> & { problem: QueryProblem<Name> | null } {
  const { tokens, words, problems } = parseQuery(vocabulary, text);
  const [problem] = problems;
  if (problem) return { chips, text, problem };
  return { chips: merged(chips, tokens), text: printQuery({ tokens: [], words }), problem: null };
}

/** The box after a space: a finished token at its end becomes a chip. */
export function takeToken<Name extends string>(
  { vocabulary }: FilterTokens<Name>,
  draft: FilterDraft<Name>,
): FilterDraft<Name> {
  const part = typedPart(draft.text.trimEnd());
  if (part?.kind !== "value" || !/\s$/.test(draft.text) || isInQuotes(draft.text)) return draft;
  const rest = draft.text.trimEnd().replace(VALUE, "");
  const { tokens, problems } = parseQuery(vocabulary, draft.text.slice(rest.length));
  return problems.length > 0
    ? draft
    : { chips: merged(draft.chips, tokens), text: rest === "" ? "" : `${rest.trim()} ` };
}

const isInQuotes = (text: string): boolean => (text.match(/"/g)?.length ?? 0) % 2 === 1;

/** The box after a suggestion was taken in place of what is being typed. */
export function takeValue<Name extends string>(
  { vocabulary }: FilterTokens<Name>,
  { chips, text }: FilterDraft<Name>,
  token: Token<Name>,
): FilterDraft<Name> {
  // As it is compared: `stock:out` is `stock:0`.
  const { tokens } = parseQuery(vocabulary, printQuery({ tokens: [token], words: [] }));
  return { chips: merged(chips, tokens), text: withoutPart(text).trim() };
}

/** The box with the name of a token begun. */
export function beginToken<Name extends string>({ chips, text }: FilterDraft<Name>, name: Name): FilterDraft<Name> {
  const before = withoutPart(text).trim();
  return { chips, text: `${before === "" ? "" : `${before} `}${name}:` };
}

/** Names that begin with a text. */
export const namesFor = <Name extends string>({ vocabulary }: FilterTokens<Name>, text: string): Name[] =>
  (Object.keys(vocabulary) as Name[]).filter((name) => name.startsWith(text.toLowerCase()));

export const isTokenName = <Name extends string>({ vocabulary }: FilterTokens<Name>, name: string): name is Name =>
  Object.hasOwn(vocabulary, name);

/** Values of a name with a fixed list that a text is in; null: the server knows them. */
export const fixedValues = <Name extends string>(
  tokens: FilterTokens<Name>,
  name: string,
  text: string,
): readonly string[] | null =>
  isTokenName(tokens, name)
    ? (tokens.fixed[name]?.filter((value) => value.includes(text.toLowerCase())) ?? null)
    : null;

/** A filter as it is compared: the same tokens and words are the same text. */
export const canonical = <Name extends string>(
  { vocabulary }: Pick<FilterTokens<Name>, "vocabulary">,
  q: string,
): string => printQuery(parseQuery(vocabulary, q));

/** What is looked for: "vendor Cluck & Co., “eggs”". `format`: of a token's value. */
export const wordsOf = <Name extends string>(
  { tokens, words }: ListQuery<Name>,
  format: (token: Token<Name>) => string,
): string =>
  [
    ...tokens.map((token) => `${token.name} ${format(token)}`),
    ...(words.length > 0 ? [`“${words.join(" ")}”`] : []),
  ].join(", ");
