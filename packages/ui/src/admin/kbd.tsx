import { cx } from "../cx.ts";

import s from "./kbd.module.css";

interface KbdProps {
  /** As it is printed on the key: "Enter", "Ctrl K". */
  keys: string;
  /** Inside a button: in the color of its words, and not read with them. */
  inButton?: boolean;
}

/** A key, or keys that are pressed together. */
export const Kbd = ({ keys, inButton }: KbdProps) => (
  <kbd className={cx(s.kbd, inButton && s.inButton)} aria-hidden={inButton ? true : undefined} translate="no">
    {keys}
  </kbd>
);
