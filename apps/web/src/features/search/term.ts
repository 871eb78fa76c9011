import { SEARCH_MAX, SEARCH_MIN } from "@marketday/domain/limits";

export type SearchMode = "items" | "vendors";

/** What is searched for: one space between words, at most as long as the market takes. */
export const cleanTerm = (text: string): string =>
  [...text.replace(/\s+/g, " ").replace(/\p{C}/gu, "").trimStart()].slice(0, SEARCH_MAX).join("").trim();

/** Whether a search can start (spec §4 Search: from 3 characters). */
export const isLongEnough = (term: string): boolean => term.length >= SEARCH_MIN;

export interface Part {
  text: string;
  /** Not typed by the shopper: shown bold. */
  predicted: boolean;
}

const sharedStart = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
};

/**
 * A suggestion in what was typed and what was not: the start of each word that begins like a typed one is the shopper's
 * own, the rest is predicted. A typo ("tomatos") keeps the part it shares, if that has three letters.
 */
export function predictedParts(title: string, typed: string): Part[] {
  const words = typed.toLowerCase().split(" ").filter(Boolean);
  const parts: Part[] = [];
  const add = (text: string, predicted: boolean) => {
    const last = parts.at(-1);
    if (last?.predicted === predicted) last.text += text;
    else if (text !== "") parts.push({ text, predicted });
  };
  for (const piece of title.match(/[^\s-]*[\s-]|[^\s-]+/g) ?? []) {
    const lower = piece.toLowerCase();
    const own = Math.max(
      0,
      ...words.map((word) => {
        const shared = sharedStart(lower, word);
        return shared === word.length || shared >= SEARCH_MIN ? shared : 0;
      }),
    );
    add(piece.slice(0, own), false);
    add(piece.slice(own), true);
  }
  return parts;
}
