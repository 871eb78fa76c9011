import type { Permission } from "@marketday/domain/staff";
import { Link } from "@marketday/ui/link.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";

import * as t from "#messages/day";

import { paths } from "../../lib/paths.ts";
import { hasPermission, useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { useWeek } from "../shell/use-week.ts";
import { findHub } from "./find-hub.ts";

import s from "./day-tabs.module.css";

export type DayView = "day" | "boxes" | "shorts" | "door";

/** The screens of a delivery day, in order, and what each needs in its market. */
const VIEWS = [
  ["day", "day.run"],
  ["boxes", "orders.read"],
  ["shorts", "orders.adjust"],
  ["door", "orders.adjust"],
] as const satisfies readonly (readonly [DayView, Permission])[];

interface DayTabsProps {
  /** Slug or id, as in the address. */
  hub: string;
  /** `YYYY-MM-DD` */
  date: string;
}

/** The screens of a delivery day that the person may open; on a narrow screen they scroll sideways. One alone has no tabs. */
export function DayTabs({ hub: key, date }: DayTabsProps) {
  const me = useMe();
  const { pathname } = useLocation();
  const { to } = useHubFilter();
  const { rows } = useWeek();
  const hub = findHub(me, key);
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // In newer browsers it returns a promise, which is nothing to clean up.
    current.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, []);
  const views = hub ? VIEWS.filter(([, permission]) => hasPermission(me, permission, hub.id)) : [];
  if (views.length < 2) return null;
  const row = rows.find((one) => one.hub.id === hub?.id && one.day === date);
  const notes: Partial<Record<DayView, ReactNode>> = {
    shorts: row && row.shorts > 0 && <Count count={row.shorts} label={t.shortsToSettle(row.shorts)} />,
  };
  return (
    <nav className={s.tabs} aria-label={t.views}>
      <ul>
        {views.map(([view]) => {
          const path = paths[view](key, date);
          // An order or an item that is open beside its list belongs to it.
          const isCurrent = pathname === path || (view !== "day" && pathname.startsWith(`${path}/`));
          return (
            <li key={view} ref={isCurrent ? current : undefined}>
              <Link to={to(path)} className={s.tab} aria-current={isCurrent ? "page" : undefined}>
                {t.viewNames[view]}
                {notes[view]}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const Count = ({ count, label }: { count: number; label: string }) => (
  <span className={s.count}>
    <span aria-hidden="true">{count}</span>
    <VisuallyHidden>{label}</VisuallyHidden>
  </span>
);
