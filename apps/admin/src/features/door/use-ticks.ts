import type { DayDoor } from "@marketday/contracts/admin/door";
import { announce } from "@marketday/ui/live-region.tsx";
import { useEffect, useEffectEvent, useState } from "react";

import * as t from "#messages/door";

import { useFormDraft } from "../../lib/drafts.ts";
import type { DoorBox } from "./api.ts";
import { isDue } from "./format.ts";

/** A box that changed while it was ticked, as it is listed now; without `box` it is not listed. */
export interface Changed {
  orderId: number;
  box: DoorBox | undefined;
  /** It keeps its tick, and this was its amount in dollars; null: it is not to collect any more and has lost its tick. */
  was: number | null;
}

/** What is ticked, with the amount in dollars that the person saw. */
const NONE: { amounts: Readonly<Record<string, number>> } = { amounts: {} };

/**
 * The boxes that a person has ticked, kept in the tab until they are recorded. A box that someone else records meanwhile, or that is
 * cancelled, loses its tick for good; one whose amount becomes another keeps it. Both are `changed` until the person has seen it; not while
 * the person's own recording is on its way.
 */
export function useTicks(door: DayDoor, isRecording: boolean) {
  const { values, put } = useFormDraft(`door amounts ${door.hub.id} ${door.day}`, NONE);
  const [changed, setChanged] = useState<readonly Changed[]>([]);
  const boxes = door.groups.flatMap((group) => group.boxes);
  const due = boxes.filter(isDue);
  const amounts = new Map(Object.entries(values.amounts).map(([id, amount]) => [Number(id), amount]));
  const ticked = due.filter(({ orderId }) => amounts.has(orderId));
  const write = (next: ReadonlyMap<number, number>) => put({ amounts: Object.fromEntries(next) });

  const news: readonly Changed[] = isRecording
    ? []
    : [...amounts].flatMap(([orderId, was]): Changed[] => {
        const box = boxes.find((each) => each.orderId === orderId);
        if (!box || !isDue(box)) return [{ orderId, box, was: null }];
        return box.amount === was ? [] : [{ orderId, box, was }];
      });
  const note = useEffectEvent(() => {
    write(new Map(ticked.map(({ orderId, amount }) => [orderId, amount])));
    setChanged((before) => [
      ...before.filter((one) => news.every(({ orderId }) => orderId !== one.orderId)),
      // Of several changes the first amount is the one that the person knows.
      ...news.map((one): Changed => {
        const known = before.find(({ orderId }) => orderId === one.orderId)?.was;
        return one.was === null || known === undefined || known === null ? one : { ...one, was: known };
      }),
    ]);
    announce(
      t.changedTitle(news.filter(({ was }) => was === null).length, news.filter(({ was }) => was !== null).length),
    );
  });
  const newsKey = news.map(({ orderId, box }) => `${orderId} ${box?.state} ${box?.amount}`).join();
  useEffect(() => {
    if (newsKey !== "") note();
  }, [newsKey]);

  return {
    due,
    ticked,
    changed,
    /** Ticks or unticks boxes that are to collect. */
    set: (these: readonly DoorBox[], isTicked: boolean) => {
      const next = new Map(amounts);
      for (const { orderId, amount } of these.filter(isDue))
        if (isTicked) next.set(orderId, amount);
        else next.delete(orderId);
      write(next);
    },
    /** They were recorded. */
    forget: (orderIds: readonly number[]) => write(new Map([...amounts].filter(([id]) => !orderIds.includes(id)))),
    clear: () => write(new Map()),
    seeChanged: () => setChanged([]),
  };
}
export type Ticks = ReturnType<typeof useTicks>;
