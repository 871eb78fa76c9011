import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import * as t from "#messages/shell";

import s from "./shorts-count.module.css";

/** How many shortages of the day are to be settled; quiet, unless their boxes go out today. */
export const ShortsCount = ({ count, isOverdue }: { count: number; isOverdue: boolean }) =>
  count > 0 && (
    <span className={s.count} data-overdue={isOverdue ? "" : undefined}>
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{isOverdue ? t.shortsOverdue(count) : t.shortsToSettle(count)}</VisuallyHidden>
    </span>
  );
