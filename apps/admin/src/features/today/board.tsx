import type { Today, TodayRow } from "@marketday/contracts/admin/today";
import { DAY_STEPS } from "@marketday/domain/day-steps";
import { RunLineHead } from "@marketday/ui/admin/run-line.tsx";
import { useRef } from "react";

import * as t from "#messages/today";

import { useShortcuts } from "../shell/shortcuts.ts";
import { Counts } from "./counts.tsx";
import { DayRow } from "./day-row.tsx";
import { NothingUrgent, UrgentCard } from "./urgent-card.tsx";

import s from "./today.module.css";

const stepNames = DAY_STEPS.map((step) => t.stepNames[step]);

/** What is most urgent, the delivery days, the counts. `zone`: of the clock of the page. */
export function Board({ today, now, zone }: { today: Today; now: Date; zone: string | undefined }) {
  const list = useRef<HTMLUListElement>(null);
  const { rows, mostUrgent, counts } = today;
  const isElsewhere = ({ hub }: TodayRow) => zone !== undefined && hub.timeZone !== zone;
  const urgent = mostUrgent === null ? undefined : rows[mostUrgent];
  useShortcuts([
    {
      keys: "([1-9])",
      shown: t.oneToNine,
      label: t.jumpToMarket,
      run: ({ key }) => list.current?.querySelectorAll<HTMLElement>("[data-day]")[Number(key) - 1]?.focus(),
    },
  ]);
  return (
    <>
      {urgent ? (
        <UrgentCard
          key={`${urgent.hub.id} ${urgent.day} ${urgent.next.kind}`}
          row={urgent}
          now={now}
          isElsewhere={isElsewhere(urgent)}
        />
      ) : (
        <NothingUrgent rows={rows} now={now} />
      )}
      <section className={s.board} aria-label={t.days}>
        <div className={s.head} aria-hidden="true">
          <span>{t.market}</span>
          <RunLineHead names={stepNames} />
          <span className={s.headNext}>{t.next}</span>
        </div>
        <ul ref={list}>
          {rows.map((row) => (
            <DayRow key={`${row.hub.id} ${row.day}`} row={row} now={now} isElsewhere={isElsewhere(row)} />
          ))}
        </ul>
      </section>
      <Counts counts={counts} rows={rows} now={now} />
    </>
  );
}
