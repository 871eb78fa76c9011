/** Totes that one list may name. */
const TOTES_MAX = 10_000;

/** The numbers of a list such as "1-15,18", ascending, each once; null: the text is not one. */
export function parseTotes(text: string): number[] | null {
  const numbers = new Set<number>();
  for (const part of text.split(",")) {
    const [, from, to = from] = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(part) ?? [];
    if (from === undefined) return null;
    const [first, last] = [Number(from), Number(to)];
    if (first < 1 || last < first || last - first >= TOTES_MAX) return null;
    for (let number = first; number <= last; number += 1) numbers.add(number);
  }
  return [...numbers].toSorted((a, b) => a - b);
}

/** Ascending numbers as `parseTotes` reads them: "1-3,7". */
export function formatTotes(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}
