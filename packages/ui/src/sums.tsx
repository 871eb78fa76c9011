import type { ReactNode } from "react";

import s from "./sums.module.css";

/** A receipt's totals, one below the other; dimmed while they are recalculated. */
export const Sums = ({ dim, children }: { dim?: boolean | undefined; children: ReactNode }) => (
  <dl className={s.sums} data-dim={dim ? "" : undefined}>
    {children}
  </dl>
);

/** One of them: what it is and how much. `strong`: below the dashed rule, in large figures. */
export const Sum = ({ label, strong, children }: { label: string; strong?: boolean; children: ReactNode }) => (
  <div className={strong ? s.total : s.line}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
