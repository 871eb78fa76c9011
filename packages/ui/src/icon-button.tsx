import type { ButtonHTMLAttributes } from "react";

import { cx } from "./cx.ts";
import { Icon, type IconName } from "./icon/icon.tsx";

import s from "./icon-button.module.css";

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "children" | "disabled"> {
  /** What it does, for everyone who does not see the drawing. */
  label: string;
  icon: IconName;
  /** On a picture: has a round background. */
  floating?: boolean;
  /** For a toggle: filled and `aria-pressed`. */
  pressed?: boolean;
}

/** A drawing to press, 44 px to hit. */
export function IconButton({ label, icon, floating, pressed, type = "button", ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(s.button, floating && s.floating, pressed && s.pressed)}
      aria-label={label}
      aria-pressed={pressed}
    >
      <span className={s.face}>
        <Icon name={icon} filled={pressed} size="md" />
      </span>
    </button>
  );
}
