import type { TodayRow } from "@marketday/contracts/admin/today";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { useRef } from "react";
import { useNavigate } from "react-router";

import * as t from "#messages/today";

import { useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { nextScreen } from "./next-screen.ts";
import { cardWords } from "./next-words.ts";
import { isSheetsAction, useSheets } from "./use-sheets.ts";

import s from "./today.module.css";

/** The single most urgent thing of all markets on screen. Enter does it. */
export function UrgentCard({ row, now, isElsewhere }: { row: TodayRow; now: Date; isElsewhere: boolean }) {
  const { deadline, heading, body } = cardWords(row, now, isElsewhere);
  const screen = nextScreen(useMe(), row);
  return (
    <section className={s.card} aria-label={t.mostUrgent}>
      <Leaf date={row.day} size="lg" />
      <div className={s.cardWords}>
        <span className={s.deadline}>
          <StatusMark shape={row.next.lateSince === null ? "due" : "late"}>{deadline}</StatusMark>
        </span>
        <h2 className={s.cardTitle}>{heading}</h2>
      </div>
      <p className={s.cardBody}>{body}</p>
      <div className={s.cardAction}>
        {isSheetsAction(row) ? (
          <SheetsButton row={row} />
        ) : screen ? (
          <ScreenButton path={screen.path}>{t.openScreen[screen.kind]}</ScreenButton>
        ) : (
          row.next.command !== null && <CopyCommand command={row.next.command} />
        )}
      </div>
    </section>
  );
}

/** What is done in the terminal: Enter copies its command. */
function CopyCommand({ command }: { command: string }) {
  const hint = useRef<HTMLDivElement>(null);
  useShortcuts([
    {
      keys: "Enter",
      label: t.copyCommand,
      // A key that is still held from the screen before does nothing here.
      run: ({ repeat }) => {
        if (!repeat) hint.current?.querySelector("button")?.click();
      },
    },
  ]);
  return (
    <div ref={hint}>
      <CommandHint command={command} keys={t.enter} />
    </div>
  );
}

/** What is done on another screen: Enter opens it. */
function ScreenButton({ path, children }: { path: string; children: string }) {
  const navigate = useNavigate();
  const to = useHubFilter().to(path);
  useShortcuts([{ keys: "Enter", label: children, run: ({ repeat }) => (repeat ? undefined : void navigate(to)) }]);
  return (
    <ButtonLink to={to}>
      {children}
      <Kbd keys={t.enter} inButton />
    </ButtonLink>
  );
}

function SheetsButton({ row }: { row: TodayRow }) {
  const { create, isPending, error } = useSheets(row);
  const label = row.next.kind === "create_sheets" ? t.createSheets : t.renewSheets;
  useShortcuts([{ keys: "Enter", label, run: ({ repeat }) => (repeat ? undefined : create()) }]);
  return (
    <>
      <Button busy={isPending && t.creating} onClick={create}>
        {label}
        <Kbd keys={t.enter} inButton />
      </Button>
      {error && (
        <p className={s.cardError} role="alert">
          {error.message}
        </p>
      )}
    </>
  );
}

/** Nothing is to be done: the step that comes next, and when. */
export function NothingUrgent({ rows, now }: { rows: readonly TodayRow[]; now: Date }) {
  const [first] = rows
    .flatMap(({ hub, steps }) =>
      steps.flatMap(({ step, state, at }) => (state === "ahead" && at !== null ? [{ hub, step, at }] : [])),
    )
    .filter(({ at }) => new Date(at) > now)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <section className={s.card} aria-label={t.mostUrgent}>
      <div className={s.cardWords}>
        <h2 className={s.cardTitle}>
          <StatusMark shape="done">{t.allDone}</StatusMark>
        </h2>
        {first && (
          <p className={s.quiet}>
            {t.comesNext(first.step, first.hub.name, t.whenExactly(new Date(first.at), first.hub.timeZone, now))}
          </p>
        )}
      </div>
    </section>
  );
}
