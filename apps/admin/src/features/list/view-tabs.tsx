import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import * as t from "#messages/list";

import type { NamedView } from "./saved-views.ts";

import s from "./view-tabs.module.css";

interface ViewTabsProps<View extends NamedView> {
  views: readonly View[];
  current: View;
  /** The list shows something else than the view holds. */
  isChanged: boolean;
  /** Rows that are shown now; undefined until they are known. */
  count: number | undefined;
  /** The address of a view. */
  to: (view: View) => string;
  onSave: () => void;
}

/** Views of the list as tabs: links, because the address holds what they show. Saving what is shown is the last one. */
export function ViewTabs<View extends NamedView>({
  views,
  current,
  isChanged,
  count,
  to,
  onSave,
}: ViewTabsProps<View>) {
  return (
    <nav className={s.views} aria-label={t.views}>
      {views.map((view) => {
        const isCurrent = view.key === current.key;
        return (
          <Link
            key={view.key}
            ref={isCurrent ? scrollHere : undefined}
            to={to(view)}
            className={s.view}
            aria-current={isCurrent ? "page" : undefined}
          >
            <span>{view.name}</span>
            {isCurrent && count !== undefined && <span className={s.count}>{t.number(count)}</span>}
            {isCurrent && isChanged && (
              <span className={s.dot} title={t.changedView}>
                <VisuallyHidden>{t.changedView}</VisuallyHidden>
              </span>
            )}
          </Link>
        );
      })}
      <button type="button" id="save-view" className={s.view} onClick={onSave}>
        <Icon name="plus" size="sm" />
        <span>{t.saveView}</span>
      </button>
    </nav>
  );
}

function scrollHere(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}
