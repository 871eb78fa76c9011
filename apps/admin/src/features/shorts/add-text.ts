import { foldName } from "@marketday/domain/names";

import type { DayItem } from "./api.ts";

/** What was typed to add a shortage: which item, and how many came. */
export interface AddText {
  words: string;
  /** Null: no number was typed. */
  came: number | null;
}

/**
 * Reads "eggs", "eggs 9", "eggs cluck 9 of 12" and "eggs 9/12". A number is the count only at the end, after a word: "braising mix, 8 oz 20"
 * is 20 of what is called "braising mix, 8 oz".
 */
export function parseAddText(text: string): AddText {
  const typed = text.trim().replace(/(\d)\s*(?:\/|of)\s*\d{1,6}$/i, "$1");
  const found = /^(?<words>.*\p{L}.*)\s(?<came>\d{1,6})$/u.exec(typed);
  const { words, came } = found?.groups ?? {};
  return words !== undefined && came !== undefined
    ? { words: words.trim(), came: Number(came) }
    : { words: text.trim(), came: null };
}

/**
 * Several at once: "eggs 9, braising mix, 8 oz 20; rye 3", or one a line. A comma or semicolon ends one only after its number, so that a
 * name may have some.
 */
export const parseAddTexts = (text: string): AddText[] =>
  text
    .split(/\n|(?<=\d)\s*[,;]\s*(?=\S)/)
    .filter((part) => part.trim() !== "")
    .map((part) => parseAddText(part.replace(/[,;]\s*$/, "")));

const partsOf = (text: string): string[] =>
  text
    .replaceAll(/['’]/g, "")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .map(foldName);

/** How well a word fits: it begins a word of the title (3), of the vendor (2), or is inside of one (1); 0: not at all. */
function fit(word: string, title: readonly string[], vendor: readonly string[]): number {
  if (title.some((part) => part.startsWith(word))) return 3;
  if (vendor.some((part) => part.startsWith(word))) return 2;
  return [...title, ...vendor].some((part) => part.includes(word)) ? 1 : 0;
}

/** The items that fit what was typed, best first: each word must fit the title or the vendor. Without a word all, in their order. */
export function findItems(items: readonly DayItem[], words: string): DayItem[] {
  const typed = partsOf(words);
  return items
    .map((item, place) => {
      const [title, vendor] = [partsOf(item.title), partsOf(`${item.vendor.name} ${item.vendor.slug}`)];
      const fits = typed.map((word) => fit(word, title, vendor));
      return { item, place, score: fits.includes(0) ? -1 : fits.reduce((sum, each) => sum + each, 0) };
    })
    .filter(({ score }) => score >= 0)
    .toSorted((one, other) => other.score - one.score || one.place - other.place)
    .map(({ item }) => item);
}
