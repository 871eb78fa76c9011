import type { ButtonHTMLAttributes, ReactNode } from "react";

import { cx } from "./cx.ts";
import { Icon, type IconName } from "./icon/icon.tsx";
import { Link, type LinkProps } from "./link.tsx";

import s from "./button.module.css";

export interface ButtonLook {
  /** One `primary` per view. */
  kind?: "primary" | "outline" | "quiet" | "danger" | "link";
  size?: "md" | "lg";
  /** As wide as what holds it. */
  wide?: boolean;
  icon?: IconName;
}

const look = ({ kind = "primary", size = "md", wide }: ButtonLook) =>
  cx(s.button, s[kind], size === "lg" && s.lg, wide && s.wide);

interface ButtonProps extends ButtonLook, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "disabled"> {
  /** Stays focusable and says so; clicks and submits do nothing. Say the reason nearby. */
  disabled?: boolean;
  /** While something runs: the words shown instead. The width stays what it was. */
  busy?: string | false;
  children: ReactNode;
}

/** A button. Disabled and busy ones keep their place in the tab order (`aria-disabled`), so that focus is not lost. */
export function Button({
  kind,
  size,
  wide,
  icon,
  disabled,
  busy,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  const off = disabled || Boolean(busy);
  return (
    <button
      {...rest}
      type={type}
      className={look({ kind, size, wide })}
      aria-disabled={off || undefined}
      aria-busy={busy ? true : undefined}
      onClick={(event) => {
        if (off) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <span className={s.face} data-under={busy ? "" : undefined}>
        {icon && <Icon name={icon} />}
        {children}
      </span>
      {busy && <span className={s.busy}>{busy}</span>}
    </button>
  );
}

interface ButtonLinkProps extends ButtonLook, Omit<LinkProps, "className"> {
  children: ReactNode;
}

/** A link that looks like a button. */
export function ButtonLink({ kind, size, wide, icon, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={look({ kind, size, wide })}>
      <span className={s.face}>
        {icon && <Icon name={icon} />}
        {children}
      </span>
    </Link>
  );
}
