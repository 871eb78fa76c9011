import type { FaqEntry } from "@marketday/contracts/content";

/** Letters and digits in lower case, without accents. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Words that do not narrow a search. */
const EMPTY = new Set([
  "a",
  "an",
  "the",
  "is",
  "are",
  "do",
  "does",
  "i",
  "my",
  "to",
  "of",
  "for",
  "it",
  "can",
  "how",
  "what",
]);

const plain = (html: string) => html.replace(/<[^>]*>/g, " ");

/** How well an entry answers a word it has somewhere: in its question or phrases, or only in the answer. */
function score(entry: FaqEntry, word: string): number {
  const begins = (text: string) => wordsOf(text).some((one) => one.startsWith(word));
  if (begins(entry.question)) return 3;
  if (entry.triggerPhrases.some(begins)) return 2;
  return begins(plain(entry.answer)) ? 1 : 0;
}

/**
 * The entries that have every word of a search in their question, trigger phrases or answer, best first; all of them, in
 * their order, without a search. Words without meaning are ignored as long as others are there.
 */
export function findAnswers(entries: readonly FaqEntry[], search: string): FaqEntry[] {
  const all = wordsOf(search);
  const words = all.filter((word) => !EMPTY.has(word));
  const terms = words.length > 0 ? words : all;
  if (terms.length === 0) return [...entries];
  return entries
    .map((entry) => ({ entry, scores: terms.map((word) => score(entry, word)) }))
    .filter(({ scores }) => scores.every((one) => one > 0))
    .toSorted((a, b) => sum(b.scores) - sum(a.scores))
    .map(({ entry }) => entry);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
