import { Link } from "../link.tsx";

import s from "./view-tabs.module.css";

interface View {
  key: string;
  label: string;
  /** Undefined: not known. */
  count: number | undefined;
  /** The address of the list with this filter. */
  to: string;
}

/** Views of one list as tabs: links, because the address holds the filter. `current`: the key of the one that is shown. */
export const ViewTabs = ({ label, views, current }: { label: string; views: readonly View[]; current: string }) => (
  <nav className={s.views} aria-label={label}>
    {views.map((view) => (
      <Link
        key={view.key}
        to={view.to}
        replace
        className={s.view}
        aria-current={view.key === current ? "page" : undefined}
      >
        <span>{view.label}</span>
        {view.count !== undefined && <span className={s.count}>{view.count.toLocaleString("en-US")}</span>}
      </Link>
    ))}
  </nav>
);
