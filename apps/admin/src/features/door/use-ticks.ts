import type { DayDoor } from "@marketday/contracts/admin/door";
import { announce } from "@marketday/ui/live-region.tsx";
import { useEffect, useEffectEvent, useState } from "react";

import * as t from "#messages/door";

import { useFormDraft } from "../../lib/drafts.ts";
import type { DoorBox } from "./api.ts";
import { isDue } from "./format.ts";

/** A box that was ticked and is not to collect any more, as it is listed now; without `box` it is not listed. */
export interface GoneBox {
  orderId: number;
  box: DoorBox | undefined;
}

const NONE: { ids: readonly number[] } = { ids: [] };

/**
 * The boxes that a person has ticked, kept in the tab until they are recorded. A box that someone else records meanwhile, or that is
 * cancelled, loses its tick for good, and is `gone` until the person has seen it; not while the person's own recording is on its way.
 */
export function useTicks(door: DayDoor, isRecording: boolean) {
  const { values, put } = useFormDraft(`door ${door.hub.id} ${door.day}`, NONE);
  const [gone, setGone] = useState<readonly GoneBox[]>([]);
  const boxes = door.groups.flatMap((group) => group.boxes);
  const due = boxes.filter(isDue);
  const ids = new Set(values.ids);
  const ticked = due.filter(({ orderId }) => ids.has(orderId));
  const lost = isRecording ? [] : values.ids.filter((id) => ticked.every(({ orderId }) => orderId !== id));
  const write = (next: ReadonlySet<number>) => put({ ids: [...next].toSorted((a, b) => a - b) });

  const forgetLost = useEffectEvent(() => {
    write(new Set(ticked.map(({ orderId }) => orderId)));
    setGone((before) => [
      ...before,
      ...lost.map((id): GoneBox => ({ orderId: id, box: boxes.find(({ orderId }) => orderId === id) })),
    ]);
    announce(t.goneTitle(lost.length));
  });
  const lostKey = lost.join();
  useEffect(() => {
    if (lostKey !== "") forgetLost();
  }, [lostKey]);

  return {
    due,
    ticked,
    gone,
    /** Ticks or unticks boxes that are to collect. */
    set: (changed: readonly DoorBox[], isTicked: boolean) => {
      const next = new Set(ids);
      for (const { orderId } of changed.filter(isDue))
        if (isTicked) next.add(orderId);
        else next.delete(orderId);
      write(next);
    },
    /** They were recorded. */
    forget: (orderIds: readonly number[]) => write(new Set([...ids].filter((id) => !orderIds.includes(id)))),
    clear: () => write(new Set()),
    seeGone: () => setGone([]),
  };
}
export type Ticks = ReturnType<typeof useTicks>;
