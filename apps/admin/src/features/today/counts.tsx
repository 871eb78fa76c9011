import type { Today, TodayRow } from "@marketday/contracts/admin/today";
import { type CountItem, CountList } from "@marketday/ui/admin/count-list.tsx";

import * as t from "#messages/today";

import { paths } from "../../lib/paths.ts";
import { hasPermission, useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";

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

/** The screens of the counts that have one: of the first day on which something of it is to be done. */
function useScreens(rows: readonly TodayRow[]): Partial<Record<Count["key"], string>> {
  const me = useMe();
  const { to } = useHubFilter();
  const adjustable = rows.filter(({ hub }) => hasPermission(me, "orders.adjust", hub.id));
  const short = adjustable.find(
    ({ shorts, steps }) => shorts > 0 && steps.some(({ step, state }) => step === "cutoff" && state === "done"),
  );
  const door = adjustable.find(({ next }) => next.kind === "collect_at_door");
  return {
    ...(short && { shorts_to_settle: to(paths.shorts(short.hub.slug, short.day)) }),
    ...(door && { to_collect: to(paths.door(door.hub.slug, door.day)) }),
  };
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
