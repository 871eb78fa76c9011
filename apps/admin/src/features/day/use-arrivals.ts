import { marketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer, trackWrite } from "@marketday/client/query-client.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { DaySheets } from "@marketday/contracts/admin/days";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import * as t from "#messages/day";

import { UNDO_MS } from "../actions/shown-actions.ts";
import { useMe } from "../session/api.ts";
import { type ArrivalChange, dayQuery, findCurrent, mergeVendors, putAllArrived, putArrival } from "./api.ts";

export type Vendor = DaySheets["vendors"][number];

/** A change on its way, or that waits for the one before it. */
interface Pending extends ArrivalChange {
  at: string;
}

/** Why a change was not made; `vendorId` null: of several vendors. */
interface Problem {
  vendorId: number | null;
  text: string;
}

/** A vendor as it will be when a change has been made. */
function withChange(vendor: Vendor, change: Pending | undefined, by: string): Vendor {
  if (!change) return vendor;
  const { isConfirmed, hasArrived, at } = change;
  const known = (was: Vendor["arrived"], is: boolean | undefined) =>
    is === undefined ? was : is ? (was ?? { at, by }) : null;
  return { ...vendor, confirmed: known(vendor.confirmed, isConfirmed), arrived: known(vendor.arrived, hasArrived) };
}

const isDone = ({ confirmed, arrived }: Vendor, { isConfirmed, hasArrived }: ArrivalChange): boolean =>
  (isConfirmed === undefined || isConfirmed === (confirmed !== null)) &&
  (hasArrived === undefined || hasArrived === (arrived !== null));

/** Whether it fails on the screen, or after the person has left it. */
function useIsShown() {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/**
 * The vendors of a day, and what sets what is known of them. A change is shown at once, sent once, and taken back with a sentence when it
 * was not made; when someone else has changed the vendor since, theirs is shown. What is set while a change is on its way is sent after it.
 */
export function useArrivals(day: DaySheets) {
  const client = useQueryClient();
  const { name } = useMe();
  const { queryKey } = dayQuery(day.hub.slug, day.day);
  const [pending, setPending] = useState<ReadonlyMap<number, Pending>>(new Map());
  const [problem, setProblem] = useState<Problem | null>(null);
  const [checkingIn, setCheckingIn] = useState<number[] | null>(null);
  const isShown = useIsShown();
  /** Vendors of changes that were sent and are not answered. */
  const sent = useRef(new Set<number>());
  /** What is to be set after them: the last wish of each vendor. */
  const wishes = useRef(new Map<number, ArrivalChange>());

  const adopt = (answer: DaySheets) =>
    cacheAnswer<DaySheets>(client, queryKey, (before) => (before ? mergeVendors(before, answer) : answer));
  const newest = (): DaySheets => client.getQueryData<DaySheets>(queryKey) ?? day;
  const show = (changes: ReadonlyMap<number, ArrivalChange>) => {
    const at = marketNow().toISOString();
    setPending(
      (before) =>
        new Map([
          ...before,
          ...[...changes].map(([id, change]) => [id, { ...before.get(id), ...change, at }] as const),
        ]),
    );
  };
  const fail = (vendor: Vendor | null, text: string) => {
    if (!isShown.current) toast({ text: vendor ? t.named(vendor.name, text) : text, tone: "error" });
    else setProblem({ vendorId: vendor?.id ?? null, text });
  };

  /** Sends a change of these vendors. `vendor`: the only one. @returns the answer; null: it was not made */
  const send = async (
    vendor: Vendor | null,
    changes: ReadonlyMap<number, ArrivalChange>,
    write: () => Promise<DaySheets>,
    unknown: string,
  ): Promise<DaySheets | null> => {
    const ids = [...changes.keys()];
    for (const id of ids) sent.current.add(id);
    setProblem(null);
    show(changes);
    let answer: DaySheets | null = null;
    try {
      answer = await trackWrite(write());
      adopt(answer);
    } catch (error) {
      const current = findCurrent(error);
      if (current) adopt(current);
      else void client.invalidateQueries({ queryKey });
      const isUnknown = error instanceof ApiError && error.isOffline;
      fail(vendor, current ? messageOf(error) : isUnknown ? unknown : t.arrivalFailed(messageOf(error)));
      // What was set over a change that was not made is not what the person sees now.
      for (const id of ids) wishes.current.delete(id);
    }
    for (const id of ids) sent.current.delete(id);
    const next = ids.flatMap((id) => {
      const wish = wishes.current.get(id);
      wishes.current.delete(id);
      const known = newest().vendors.find((one) => one.id === id);
      return wish && known && !isDone(known, wish) ? [[known, wish] as const] : [];
    });
    const waiting = new Set(next.map(([{ id }]) => id));
    setPending((before) => new Map([...before].filter(([id]) => !changes.has(id) || waiting.has(id))));
    for (const [known, wish] of next) sendOne(known, wish);
    void client.invalidateQueries({ queryKey: ["today"] });
    return answer;
  };
  const sendOne = (vendor: Vendor, change: ArrivalChange): void =>
    void send(
      vendor,
      new Map([[vendor.id, change]]),
      () => putArrival(day, vendor, change),
      t.arrivalUnknown(vendor.name),
    );
  const sendSeveral = (ids: number[], hasArrived: boolean) =>
    send(
      null,
      new Map(ids.map((id) => [id, { hasArrived }])),
      () => putAllArrived(day, ids, hasArrived),
      hasArrived ? t.allUnknown : t.undoUnknown,
    );
  /** Takes back who was checked in by one write, and no one whom someone else has checked in before or since. */
  const undo = (checkedIn: readonly Vendor[]) => {
    const { vendors } = newest();
    const ids = checkedIn.flatMap(({ id, arrived }) => {
      const now = vendors.find((one) => one.id === id)?.arrived;
      return now && now.at === arrived?.at && now.by === arrived.by ? [id] : [];
    });
    if (ids.length > 0) void sendSeveral(ids, false);
  };

  return {
    vendors: day.vendors.map((vendor) => withChange(vendor, pending.get(vendor.id), name)),
    problem,
    isPending: (id: number) => pending.has(id),
    set: (id: number, change: ArrivalChange): void => {
      const vendor = newest().vendors.find((one) => one.id === id);
      if (!vendor) return;
      if (!sent.current.has(id)) return sendOne(vendor, change);
      wishes.current.set(id, { ...wishes.current.get(id), ...change });
      show(new Map([[id, change]]));
    },
    /** Checks these in, and offers to undo it. `onEnd` runs when the control that was pressed is about to go. */
    checkIn: async (ids: number[], onEnd: () => void): Promise<void> => {
      const left = ids.filter((id) => !sent.current.has(id));
      if (checkingIn !== null || left.length === 0) return;
      setCheckingIn(left);
      const answer = await sendSeveral(left, true);
      setCheckingIn(null);
      if (!answer) return;
      onEnd();
      // One write has one instant: who has an older one was checked in by someone else meanwhile.
      const mine = answer.vendors.filter(({ id, arrived }) => left.includes(id) && arrived?.by === name);
      const at = mine.reduce((last, { arrived }) => (arrived!.at > last ? arrived!.at : last), "");
      const checkedIn = mine.filter(({ arrived }) => arrived!.at === at);
      if (checkedIn.length === 0) return;
      toast({
        text: t.checkedIn(checkedIn.length),
        duration: UNDO_MS,
        action: {
          label: t.undo,
          run: () => {
            onEnd();
            undo(checkedIn);
          },
        },
      });
    },
    /** The ids of those that are being checked in at once. */
    checkingIn,
  };
}
