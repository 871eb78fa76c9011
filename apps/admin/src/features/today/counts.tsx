import type { Today, TodayRow } from "@marketday/contracts/admin/today";
import { type CountItem, CountList } from "@marketday/ui/admin/count-list.tsx";

import * as t from "#messages/today";

import { useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { findScreens } from "./count-screens.ts";

import s from "./today.module.css";

type Count = Today["counts"]["money"][number];

function valueOf({ key, count, amount, at }: Count, now: Date): string {
  if (key === "backup_age") return at === null ? t.never : t.ago(new Date(at), now);
  if (amount !== null) return t.money(amount);
  return count === null ? t.notYet : t.number(count);
}

const toItem = (count: Count, now: Date, to: string | undefined): CountItem => ({
  key: count.key,
  label: t.counts[count.key],
  value: valueOf(count, now),
  level: count.level,
  ...(to === undefined ? { command: count.command } : { to }),
});

/** The screens of the counts, with the filter by market kept. */
function useScreens(rows: readonly TodayRow[]): Partial<Record<Count["key"], string>> {
  const me = useMe();
  const { to } = useHubFilter();
  return Object.fromEntries(Object.entries(findScreens(me, rows)).map(([key, path]) => [key, to(path)]));
}

/** The four lists of counts; one of which a person may see nothing is left out. */
export function Counts({ counts, rows, now }: Pick<Today, "counts" | "rows"> & { now: Date }) {
  const screens = useScreens(rows);
  const lists = [
    { title: t.attention, counts: counts.attention },
    { title: t.stock, counts: counts.stock },
    { title: t.moneyCounts, counts: counts.money },
    { title: t.system, counts: counts.system },
  ].filter(({ counts }) => counts.length > 0);
  if (lists.length === 0) return null;
  return (
    <div className={s.counts}>
      {lists.map(({ title, counts }) => (
        <CountList key={title} title={title} counts={counts.map((count) => toItem(count, now, screens[count.key]))} />
      ))}
    </div>
  );
}
