/**
 * The beginning of a text, cut between two words at or before `max` characters; null when the whole text is no longer
 * (spec §9 Description "View More").
 */
export function excerptOf(text: string, max: number): string | null {
  const characters = [...text];
  if (characters.length <= max) return null;
  const start = characters.slice(0, max + 1).join("");
  const end = start.lastIndexOf(" ");
  // One very long word is cut where it must be.
  const cut = end > max / 2 ? start.slice(0, end) : characters.slice(0, max).join("");
  return `${cut.replace(/[\s.,;:–-]+$/, "")}…`;
}
