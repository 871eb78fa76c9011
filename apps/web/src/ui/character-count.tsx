import { useEffect, useState } from "react";

import { announce } from "./live-region.tsx";

import s from "./character-count.module.css";

/** Quiet for this long, ms, and the number is said. */
const PAUSE = 1000;

/** How much of a limited text is used; goes beside a `Field`'s label. Said a second after the typing stops. */
export function CharacterCount({ length, max }: { length: number; max: number }) {
  const [first] = useState(length);
  useEffect(() => {
    if (length === first) return;
    const timer = setTimeout(() => announce(`${max - length} of ${max} characters left`), PAUSE);
    return () => clearTimeout(timer);
  }, [length, first, max]);
  return (
    <small className={s.count} aria-hidden="true">
      {length}/{max}
    </small>
  );
}
