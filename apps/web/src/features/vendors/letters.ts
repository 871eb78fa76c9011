/** What stands for names that begin with no letter. */
const OTHER = "#";

/** The rail: A to Z, and what begins with neither. */
export const letters: string[] = [...Array.from({ length: 26 }, (_, place) => String.fromCodePoint(65 + place)), OTHER];

/** The letter a name is filed under: "Östlund" under O, "7 Oaks" under "#". */
export function letterOf(name: string): string {
  const first = name.trim().normalize("NFD").charAt(0).toUpperCase();
  return /^[A-Z]$/.test(first) ? first : OTHER;
}

export interface LetterGroup<T> {
  letter: string;
  rows: T[];
}

/** Rows under their letters, both in the order they come in. */
export function byLetter<T extends { name: string }>(rows: readonly T[]): LetterGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const letter = letterOf(row.name);
    groups.set(letter, [...(groups.get(letter) ?? []), row]);
  }
  return [...groups].map(([letter, group]) => ({ letter, rows: group }));
}
