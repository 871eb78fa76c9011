import type { ReactNode } from "react";

import * as t from "#messages";

import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { Icon, type IconName } from "./icon/icon.tsx";

import s from "./banner.module.css";

type BannerTone = "warning" | "information" | "other" | "error";

interface BannerProps {
  tone: BannerTone;
  title?: string | undefined;
  children?: ReactNode;
  /** Title and words run on, in few lines. */
  compact?: boolean;
  /** A link or a button below the words. */
  action?: ReactNode;
  /** Puts it away; remembering that is the caller's. */
  onDismiss?: () => void;
  /** `alert` interrupts: only for what answers the shopper's own last action. */
  role?: "alert" | "status";
}

const icons: Record<BannerTone, IconName> = { warning: "warn", error: "warn", information: "info", other: "leaf" };

/** A message inside a screen: an icon and words, never colour alone. */
export const Banner = ({ tone, title, compact, children, action, onDismiss, role }: BannerProps) => (
  <div className={cx(s.banner, s[tone], compact && s.compact)} role={role}>
    <Icon name={icons[tone]} />
    <div className={s.words}>
      {title && <strong>{title}</strong>}
      {compact && " "}
      {children && <div>{children}</div>}
      {action}
    </div>
    {onDismiss && <IconButton icon="close" label={title ? t.dismissTitle(title) : t.dismiss} onClick={onDismiss} />}
  </div>
);
