import { useEffect, useState } from "react";

import * as t from "#messages";

import { announce } from "./live-region.tsx";

import s from "./character-count.module.css";

/** Pause after the last key, ms, before the number is announced. */
const PAUSE = 1000;

/** The message of a text that is so many characters over its limit; null: it fits. */
export const tooLong = (over: number): string | null => (over > 0 ? t.charactersTooMany(over) : null);

/** The used part of a limited text, beside a `Field`'s label. Announced a second after typing stops. */
export function CharacterCount({ length, max }: { length: number; max: number }) {
  const [first] = useState(length);
  useEffect(() => {
    if (length === first) return;
    const timer = setTimeout(() => announce(t.charactersLeft(max - length, max)), PAUSE);
    return () => clearTimeout(timer);
  }, [length, first, max]);
  return (
    <small className={s.count} aria-hidden="true">
      {length}/{max}
    </small>
  );
}
