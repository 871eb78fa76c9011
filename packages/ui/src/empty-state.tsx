import type { ReactNode } from "react";

import { Icon, type IconName } from "./icon/icon.tsx";

import s from "./empty-state.module.css";

interface EmptyStateProps {
  icon?: IconName;
  title: string;
  /** One sentence. */
  children?: ReactNode;
  /** The one useful next step. */
  action?: ReactNode;
}

/** Nothing here: a drawing, a sentence, a next step. */
export const EmptyState = ({ icon = "crate", title, children, action }: EmptyStateProps) => (
  <div className={s.empty}>
    <span className={s.plate}>
      <Icon name={icon} size="lg" />
    </span>
    <p className={s.title}>{title}</p>
    {children && <p className={s.words}>{children}</p>}
    {action}
  </div>
);
