import type { TodayRow } from "@marketday/contracts/admin/today";
import { calendarDate, dateInZone } from "@marketday/domain/calendar-date";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { RunLine } from "@marketday/ui/admin/run-line.tsx";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { type ReactNode, useId, useState } from "react";

import * as t from "#messages/today";

import { useMe } from "../session/api.ts";
import { dayScreen } from "../shell/day-screen.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { nextScreen } from "./next-screen.ts";
import { hasOrders, nextWords } from "./next-words.ts";
import { Pace } from "./pace.tsx";
import { currentStep, runSteps } from "./step-words.ts";

import s from "./today.module.css";

interface DayRowProps {
  row: TodayRow;
  now: Date;
  /** Its times are by another clock than those of the page: the place is named. */
  isElsewhere: boolean;
}

/** A delivery day: its market, how far its steps are, and what a person does next. */
export function DayRow({ row, now, isElsewhere }: DayRowProps) {
  const { hub, next } = row;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const day = calendarDate(row.day);
  const today = dateInZone(now, hub.timeZone);
  const me = useMe();
  const { to } = useHubFilter();
  const dayPath = dayScreen(me, row);
  const screen = nextScreen(me, row);
  const steps = runSteps(row, now);
  const current = currentStep(steps);
  const { title, note } = nextWords(row, now);

  let action: ReactNode = null;
  if (screen)
    action = (
      <ButtonLink kind="outline" to={to(screen.path)} aria-label={t.screenFor[screen.kind](hub.name, day, today)}>
        {t.screens[screen.kind]}
      </ButtonLink>
    );
  else if (next.command !== null)
    action = (
      <Button
        kind="outline"
        aria-label={t.commandFor(title, hub.name)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {t.command}
      </Button>
    );

  return (
    <li className={s.row}>
      <div className={s.hub}>
        <Leaf date={row.day} />
        <div className={s.hubWords}>
          <h3 className={s.hubName}>
            {dayPath ? (
              <Link to={to(dayPath)} className={s.hubLink} data-day="">
                {hub.name}
              </Link>
            ) : (
              <span tabIndex={-1} data-day="">
                {hub.name}
              </span>
            )}
          </h3>
          <p className={s.note}>{aboutDay(row, now)}</p>
          {isElsewhere && <p className={s.note}>{t.timesIn(hub.timeZone)}</p>}
        </div>
      </div>
      <div className={s.run}>
        <RunLine label={t.stepsOf(hub.name, day, today)} steps={steps} />
      </div>
      <p className={s.caption}>
        {current && <b data-state={current.state}>{t.stepWithWords(current.name, current.words)}</b>}
        {current && <span aria-hidden="true">{" · "}</span>}
        <span>{next.kind === "nothing" && note !== null ? t.titleAndNote(title, note) : title}</span>
      </p>
      <div className={s.next}>
        <p className={s.nextTitle}>{title}</p>
        {note !== null && <p className={s.note}>{note}</p>}
      </div>
      <div className={s.action}>
        {action && <Compact size="sm">{action}</Compact>}
        {next.kind === "nothing" && row.pace && hasOrders(row.pace) && <Pace {...row.pace} />}
      </div>
      {isOpen && next.command !== null && (
        <div id={id} className={s.command}>
          <CommandHint command={next.command} />
        </div>
      )}
    </li>
  );
}

/** "Tomorrow · 94 boxes", "Saturday · 46 open orders". */
function aboutDay({ day, hub, boxes, openOrders, steps }: TodayRow, now: Date): string {
  const isOut = steps.some(({ step, state, count }) => step === "delivered" && state === "now" && (count ?? 0) > 0);
  const name = isOut ? t.outNow : t.dayName(calendarDate(day), dateInZone(now, hub.timeZone));
  const isOpen = steps.some(({ step, state }) => step === "cutoff" && (state === "ahead" || state === "now"));
  return t.about(name, isOpen ? t.openOrders(openOrders) : t.boxes(boxes));
}
