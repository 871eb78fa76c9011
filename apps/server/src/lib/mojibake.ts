/** The encodings as which spreadsheets on Windows and macOS misread UTF-8. */
const encodings = ["windows-1252", "macintosh"].map((encoding) => {
  const decoder = new TextDecoder(encoding);
  return new Map(Array.from({ length: 128 }, (_, place) => [decoder.decode(Uint8Array.of(128 + place)), 128 + place]));
});
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The characters that broken text had: accented letters, punctuation, fractions, signs, pictograms. */
const PLAUSIBLE = /^[\u00A0-\u017F\u2010-\u203A\u20AC\u2122\u2150-\u215F\u{1F300}-\u{1FAFF}]+$/u;

function repairRun(run: string): string {
  for (const byCharacter of encodings) {
    const bytes = [...run].map((character) => byCharacter.get(character));
    if (!bytes.every((byte) => byte !== undefined)) continue;
    try {
      const text = utf8.decode(Uint8Array.from(bytes));
      if (PLAUSIBLE.test(text)) return text;
    } catch {
      // These bytes are not UTF-8, so the text is not broken.
    }
  }
  return run;
}

/**
 * Restores a text whose UTF-8 was read as Windows-1252 or Mac Roman ("CrÃ¨me" was "Crème"); null for a text
 * that was not broken so.
 */
export function repairMojibake(text: string): string | null {
  // Most texts have no two adjacent characters outside ASCII.
  const repaired = text.replaceAll(/[^\u0000-\u007F]{2,}/gu, repairRun); // oxlint-disable-line no-control-regex -- ASCII
  return repaired === text ? null : repaired;
}
