import { useMarketNow } from "@marketday/client/clock.ts";
import type { DayDoor } from "@marketday/contracts/admin/door";
import { addDollars } from "@marketday/domain/money";
import { isBefore } from "@marketday/domain/time";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { useParams } from "react-router";

import * as t from "#messages/door";

import { DayHead } from "../day/day-head.tsx";
import { formatTime } from "../day/format.ts";
import { NoDay } from "../day/no-day.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { doorQuery } from "./api.ts";
import { ChangedNote } from "./changed-note.tsx";
import { DoorGroup } from "./door-group.tsx";
import { formatCommand } from "./format.ts";
import { RecordBar } from "./record-bar.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";
import { useIsRecording, useRecord } from "./use-record.ts";
import { useTicks } from "./use-ticks.ts";

import s from "./door.module.css";

/** Money at the door of a delivery day: a list for each driver and pickup point, ticks, and one button that records them. */
export default function DoorPage() {
  const { hub = "", date = "" } = useParams();
  const query = useQuery(doorQuery(hub, date));
  const { data: door, error, refetch } = query;
  if (!door)
    return (
      <NoDay
        view="door"
        hub={hub}
        date={date}
        error={error}
        onRetry={() => void refetch()}
        words={{ loading: t.loading, notAllowed: t.notAllowed, notAllowedHelp: t.notAllowedHelp, failed: t.failed }}
      />
    );
  return (
    <>
      <StaleNote query={query} zone={door.hub.timeZone} />
      {/* Ticks, a failure and payments on their way belong to one day. */}
      <Door key={`${hub} ${date}`} hub={hub} door={door} />
    </>
  );
}

/** `hub`: as in the address. */
function Door({ hub, door }: { hub: string; door: DayDoor }) {
  const isEmpty = door.groups.length === 0;
  const all = addDollars(door.due, door.paid);
  const boxes = door.groups.reduce((sum, group) => sum + group.boxes.length, 0);
  const note = !door.isClosed ? (
    t.soFar(door.due, boxes)
  ) : isEmpty ? null : door.due === 0 ? (
    <StatusMark shape="done">{t.allCollected(all)}</StatusMark>
  ) : (
    t.collectedOf(door.paid, all)
  );
  if (!door.isClosed || isEmpty)
    return (
      <>
        <DayHead view="door" hub={hub} date={door.day} note={note} />
        <div className={s.instead}>{door.isClosed ? <Nothing /> : <NotClosed door={door} />}</div>
      </>
    );
  return <Lists hub={hub} door={door} note={note} />;
}

const Nothing = () => (
  <>
    <h2>{t.nothing}</h2>
    <p>{t.nothingHelp}</p>
  </>
);

function NotClosed({ door: { cutoffAt, hub } }: { door: DayDoor }) {
  const now = useMarketNow();
  const time = formatTime(cutoffAt, hub.timeZone, now);
  return (
    <>
      <h2>{t.notClosed}</h2>
      <p>{isBefore(now, new Date(cutoffAt)) ? t.notClosedHelp(time) : t.closing(time)}</p>
    </>
  );
}

function Lists({ hub, door, note }: { hub: string; door: DayDoor; note: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  // What is in the bar goes when nothing is ticked any more: the focus goes to the lists.
  const leaveBar = () => {
    if (dock.current?.contains(document.activeElement)) list.current?.focus({ preventScroll: true });
  };
  const isRecording = useIsRecording(hub, door.day);
  const ticks = useTicks(door, isRecording);
  const { record, failure, triedIds, refusedIds, clearFailure } = useRecord(hub, door.day, (boxes) => {
    ticks.forget(boxes.map(({ orderId }) => orderId));
    leaveBar();
  });
  const { due, ticked, changed } = ticks;
  const refused = ticked.filter(({ orderId }) => refusedIds.includes(orderId));
  const areAllTicked = ticked.length === due.length;
  // Once all of it is recorded after all, or cancelled, there is nothing to try again.
  const isToTry = due.some(({ orderId }) => triedIds.includes(orderId));
  const focus = useKeptFocus(list, due);

  const move = (by: 1 | -1) => {
    const boxes = [...(list.current?.querySelectorAll<HTMLInputElement>("[data-box]") ?? [])];
    const at = boxes.findIndex((box) => box === document.activeElement);
    const next = boxes[at === -1 ? 0 : Math.max(0, Math.min(boxes.length - 1, at + by))];
    next?.focus();
    next?.closest("li")?.scrollIntoView({ block: "nearest" });
  };
  useShortcuts([
    { keys: "j", label: t.keyNext, run: () => move(1) },
    { keys: "k", label: t.keyPrevious, run: () => move(-1) },
    { keys: "ArrowDown", label: t.keyNext, run: () => move(1) },
    { keys: "ArrowUp", label: t.keyPrevious, run: () => move(-1) },
    { keys: "$mod+a", label: t.keyAll, run: () => (isRecording ? undefined : ticks.set(due, true)) },
  ]);

  return (
    <>
      <DayHead view="door" hub={hub} date={door.day} note={note}>
        {due.length > 1 && (
          <Compact>
            <Button kind="outline" disabled={isRecording} onClick={() => ticks.set(due, !areAllTicked)}>
              {areAllTicked ? t.untickAll : t.tickAll(due.length)}
            </Button>
          </Compact>
        )}
      </DayHead>
      {changed.length > 0 && <ChangedNote changed={changed} onSeen={ticks.seeChanged} />}
      <div ref={list} className={s.groups} tabIndex={-1} {...focus}>
        {door.groups.map((group) => (
          <DoorGroup
            key={`${group.driver} ${group.pickup}`}
            hub={hub}
            door={door}
            group={group}
            ticks={ticks}
            isLocked={isRecording}
          />
        ))}
      </div>
      {due.length > 0 && (
        <p className={s.command}>
          <span className={s.keys}>{t.keysHelp}</span>
          <span>{t.onServer}</span>
          <CommandHint command={formatCommand(door, ticked.length > 0 ? ticked : due)} />
        </p>
      )}
      {due.length > 0 && (
        <RecordBar
          ref={dock}
          ticks={ticks}
          isRecording={isRecording}
          failure={isToTry ? failure : null}
          refused={refused}
          onUntick={() => {
            leaveBar();
            clearFailure();
            ticks.set(refused, false);
          }}
          onClear={() => {
            leaveBar();
            ticks.clear();
          }}
          onRecord={() => {
            clearFailure();
            record(ticked);
          }}
        />
      )}
    </>
  );
}
