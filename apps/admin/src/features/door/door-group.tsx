import type { DayDoor } from "@marketday/contracts/admin/door";
import { addDollars } from "@marketday/domain/money";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { type KeyboardEvent, type MouseEvent, useId, useRef, useState } from "react";

import * as t from "#messages/door";

import type { DoorGroup as Group } from "./api.ts";
import { DueRow, PaidRow } from "./door-row.tsx";
import { formatGroup, isDue, sumOf } from "./format.ts";
import type { Ticks } from "./use-ticks.ts";

import s from "./door.module.css";

interface DoorGroupProps {
  /** As in the address. */
  hub: string;
  door: DayDoor;
  group: Group;
  ticks: Ticks;
  /** Its payments are on their way: what is ticked is not changed. */
  isLocked: boolean;
}

/** The boxes of a driver, a pickup point or no sheet, with the sum in the envelope. */
export function DoorGroup({ hub, door, group, ticks, isLocked }: DoorGroupProps) {
  const id = useId();
  const name = formatGroup(group);
  const due = group.boxes.filter(isDue);
  const ids = new Set(ticks.ticked.map(({ orderId }) => orderId));
  const ticked = due.filter(({ orderId }) => ids.has(orderId));
  const areAllTicked = ticked.length === due.length;
  // Shift with a click: from the box that was clicked before to this one.
  const anchor = useRef<number | null>(null);
  const isRange = useRef(false);
  const [undone, setUndone] = useState<number | null>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const tabbed = due.some(({ orderId }) => orderId === current) ? current : due[0]?.orderId;

  const tick = (orderId: number, isTicked: boolean) => {
    const at = due.findIndex((box) => box.orderId === orderId);
    const from = isRange.current ? due.findIndex((box) => box.orderId === anchor.current) : -1;
    const range = from === -1 ? [due[at]!] : due.slice(Math.min(from, at), Math.max(from, at) + 1);
    ticks.set(range, isTicked);
    anchor.current = orderId;
  };
  const noteShift = ({ shiftKey }: MouseEvent | KeyboardEvent) => {
    isRange.current = shiftKey;
  };

  return (
    <section className={s.group} aria-labelledby={`${id}-name`}>
      <div className={s.groupHead}>
        <h2 id={`${id}-name`}>{name}</h2>
        <p className={s.sums}>
          {ticked.length > 0 && <b className={s.tickedSum}>{t.ticked(sumOf(ticked))}</b>}
          <span>{t.collectedOf(group.paid, addDollars(group.due, group.paid))}</span>
        </p>
        {due.length > 1 && (
          <span className={s.tickAll}>
            <Compact size="sm">
              <Button
                kind="outline"
                disabled={isLocked}
                aria-label={areAllTicked ? t.untickAllOf(name) : t.tickAllOf(name, due.length)}
                onClick={() => ticks.set(due, !areAllTicked)}
              >
                {areAllTicked ? t.untickAll : t.tickAll(due.length)}
              </Button>
            </Compact>
          </span>
        )}
      </div>
      {group.driver === null && group.pickup === null && <p className={s.groupNote}>{t.noSheetHelp}</p>}
      <ul className={s.list} aria-label={t.listOf(name)} onMouseDownCapture={noteShift} onKeyDownCapture={noteShift}>
        {group.boxes.map((box) =>
          isDue(box) ? (
            <DueRow
              key={box.orderId}
              box={box}
              isTicked={ids.has(box.orderId)}
              isLeft={group.paid > 0}
              isCurrent={box.orderId === tabbed}
              isLocked={isLocked}
              takesFocus={box.orderId === undone}
              onFocus={() => setCurrent(box.orderId)}
              onTick={(isTicked) => tick(box.orderId, isTicked)}
            />
          ) : (
            <PaidRow
              key={box.orderId}
              box={box}
              hub={hub}
              date={door.day}
              zone={door.hub.timeZone}
              onUndo={() => setUndone(box.orderId)}
            />
          ),
        )}
      </ul>
    </section>
  );
}
