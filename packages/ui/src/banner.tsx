import type { ReactNode } from "react";

import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { Icon, type IconName } from "./icon/icon.tsx";

import s from "./banner.module.css";

type BannerTone = "warning" | "information" | "other" | "error";

interface BannerProps {
  tone: BannerTone;
  title?: string | undefined;
  children?: ReactNode;
  /** A link or a button below the words. */
  action?: ReactNode;
  /** Puts it away; remembering that is the caller's. */
  onDismiss?: () => void;
  /** `alert` interrupts: only for what answers the shopper's own last action. */
  role?: "alert" | "status";
}

const icons: Record<BannerTone, IconName> = { warning: "warn", error: "warn", information: "info", other: "leaf" };

/** A message inside a screen: an icon and words, never colour alone. */
export const Banner = ({ tone, title, children, action, onDismiss, role }: BannerProps) => (
  <div className={cx(s.banner, s[tone])} role={role}>
    <Icon name={icons[tone]} />
    <div className={s.words}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
      {action}
    </div>
    {onDismiss && <IconButton icon="close" label={title ? `Dismiss: ${title}` : "Dismiss"} onClick={onDismiss} />}
  </div>
);
