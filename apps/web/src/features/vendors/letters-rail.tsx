import { letters } from "./letters.ts";

import s from "./letters-rail.module.css";

/** The heading a letter leads to. */
export const letterId = (letter: string): string => `stalls-${letter === "#" ? "other" : letter.toLowerCase()}`;

/** A to Z in one line: each letter that has stalls leads to them. */
export function LettersRail({ present, backwards }: { present: string[]; backwards: boolean }) {
  const there = new Set(present);
  const shown = letters.filter((letter) => letter !== "#" || there.has(letter));
  const show = (letter: string) => {
    const heading = document.getElementById(letterId(letter));
    heading?.scrollIntoView({ block: "start" });
    heading?.focus({ preventScroll: true });
  };
  return (
    <nav aria-label="Letters" className={s.rail}>
      <ol className={s.letters}>
        {(backwards ? shown.toReversed() : shown).map((letter) => (
          <li key={letter}>
            {there.has(letter) ? (
              <a
                href={`#${letterId(letter)}`}
                className={s.letter}
                onClick={(event) => {
                  event.preventDefault();
                  show(letter);
                }}
              >
                {letter}
              </a>
            ) : (
              <span className={s.none} aria-hidden="true">
                {letter}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
