import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./lib/run.ts";

/** Words that are not used in code, tests and documents, and what to write instead. */
const REPLACEMENTS: readonly [words: RegExp, instead: string][] = [
  [/\bsaid\b/i, "returned, shown, the result"],
  [/(?<!frequently |vendor-)\basked\b/i, "requested, called, filtered"],
  [/\btold\b/i, "notified, passed, the payload"],
  [/(?<!market\.)\bheard\b/i, "received"],
  [/\banew\b/i, "again, from scratch"],
  [/\b(?:nobody(?!")|somebody)\b/i, "no one, unused, someone, a name of who it is"],
  [/\bwhoever\b/i, "the name of who it is"],
  [/\breckon(?:s|ed|ing)?\b/i, "price, calculate"],
  [/\b(?:letGo|lets? go|letting go)\b/i, "release, void"],
  [/(?<!kind: "|['`])\bstrays?\b/i, "orphaned charge"],
  [/\bin one go\b/i, "at once, in one batch"],
  [/\b(?:stands|lies) in\b/i, "is in, is stored in"],
  [/\b(?:by itself|of its own)\b(?! (?:day|row))/i, "automatically, separate"],
];

/** Where the words are searched. */
const PATHS = [
  "apps/server/{src,test}/**/*.ts",
  "apps/web/*.ts",
  "apps/web/{src,e2e}/**/*.{ts,tsx}",
  "packages/{contracts,domain}/**/*.ts",
  "prisma/{src,test}/**/*.ts",
  "scripts/**/*.ts",
  "docs/**/*.md",
  "apps/web/{*.md,e2e/*.md,src/ui/*.md}",
  "*.md",
];

/** Files that contain the words because they list, test or quote them. */
const LISTS = [
  "scripts/lint-language.ts",
  "scripts/lint-language.test.ts",
  "packages/domain/src/common-passwords.ts",
  "docs/spec.md",
];

/** Each listed word in a text: its line, counted from 1, the word as written, and what to write instead. */
export function findWords(text: string): { line: number; word: string; instead: string }[] {
  return text.split("\n").flatMap((line, index) =>
    REPLACEMENTS.flatMap(([words, instead]) => {
      const match = words.exec(line);
      return match ? [{ line: index + 1, word: match[0], instead }] : [];
    }),
  );
}

/** The listed words in the repository's source, tests and documents, as `path:line "word": write …`. */
export function lintLanguage(base = root): string[] {
  return globSync(PATHS, { cwd: base, exclude: LISTS })
    .toSorted()
    .flatMap((path) =>
      findWords(readFileSync(join(base, path), "utf8")).map(
        ({ line, word, instead }) => `${path}:${line} "${word}": write ${instead}`,
      ),
    );
}

if (import.meta.main) {
  const found = lintLanguage();
  for (const line of found) console.log(line);
  console.log(`${found.length} words to replace (see CONTRIBUTING.md, "Language").`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
