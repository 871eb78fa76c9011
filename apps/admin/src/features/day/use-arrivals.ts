import { marketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer, trackWrite } from "@marketday/client/query-client.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { DaySheets } from "@marketday/contracts/admin/days";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import * as t from "#messages/day";

import { useMe } from "../session/api.ts";
import { type ArrivalChange, dayQuery, findCurrent, mergeVendors, putAllArrived, putArrival } from "./api.ts";

export type Vendor = DaySheets["vendors"][number];

/** A change on its way. */
interface Pending extends ArrivalChange {
  at: string;
}

/** Why a change was not made; `vendorId` null: of several vendors. */
interface Problem {
  vendorId: number | null;
  text: string;
}

/** How long the undo of a check-in of several vendors is offered, ms. */
const UNDO_MS = 10_000;
/** The key of a change of several vendors among those that were sent. */
const SEVERAL = 0;

/** A vendor as it will be when a change has been made. */
function withChange(vendor: Vendor, change: Pending | undefined, by: string): Vendor {
  if (!change) return vendor;
  const { isConfirmed, hasArrived, at } = change;
  const known = (was: Vendor["arrived"], is: boolean | undefined) =>
    is === undefined ? was : is ? (was ?? { at, by }) : null;
  return { ...vendor, confirmed: known(vendor.confirmed, isConfirmed), arrived: known(vendor.arrived, hasArrived) };
}

/**
 * The vendors of a day, and what sets what is known of them. A change is shown at once, sent once, and taken back with a sentence when it
 * was not made; when someone else has changed the vendor since, theirs is shown.
 */
export function useArrivals(day: DaySheets) {
  const client = useQueryClient();
  const { name } = useMe();
  const { queryKey } = dayQuery(day.hub.slug, day.day);
  const [pending, setPending] = useState<ReadonlyMap<number, Pending>>(new Map());
  const [problem, setProblem] = useState<Problem | null>(null);
  const [checkingIn, setCheckingIn] = useState<number[] | null>(null);
  const sent = useRef(new Set<number>());

  const adopt = (answer: DaySheets) =>
    cacheAnswer<DaySheets>(client, queryKey, (before) => (before ? mergeVendors(before, answer) : answer));

  /** Sends a change of these vendors. @returns whether it was made */
  const send = async (
    key: number,
    changes: ReadonlyMap<number, ArrivalChange>,
    write: () => Promise<DaySheets>,
    unknown: string,
  ): Promise<boolean> => {
    if (sent.current.has(key)) return false;
    sent.current.add(key);
    setProblem(null);
    const at = marketNow().toISOString();
    setPending(
      (before) => new Map([...before, ...[...changes].map(([id, change]) => [id, { ...change, at }] as const)]),
    );
    try {
      adopt(await trackWrite(write()));
      return true;
    } catch (error) {
      const current = findCurrent(error);
      if (current) adopt(current);
      else void client.invalidateQueries({ queryKey });
      const isUnknown = error instanceof ApiError && error.isOffline;
      const text = current ? messageOf(error) : isUnknown ? unknown : t.arrivalFailed(messageOf(error));
      setProblem({ vendorId: key === SEVERAL ? null : key, text });
      return false;
    } finally {
      sent.current.delete(key);
      setPending((before) => new Map([...before].filter(([id]) => !changes.has(id))));
      void client.invalidateQueries({ queryKey: ["today"] });
    }
  };
  const sendSeveral = (ids: number[], hasArrived: boolean) =>
    send(
      SEVERAL,
      new Map(ids.map((id) => [id, { hasArrived }])),
      () => putAllArrived(day, ids, hasArrived),
      t.allUnknown,
    );

  return {
    vendors: day.vendors.map((vendor) => withChange(vendor, pending.get(vendor.id), name)),
    problem,
    isPending: (id: number) => pending.has(id),
    set: (id: number, change: ArrivalChange): void => {
      const vendor = day.vendors.find((one) => one.id === id);
      if (!vendor || pending.has(id)) return;
      void send(id, new Map([[id, change]]), () => putArrival(day, vendor, change), t.arrivalUnknown(vendor.name));
    },
    /** Checks these in, and offers to undo it. `onEnd` runs when the control that was pressed is about to go. */
    checkIn: async (ids: number[], onEnd: () => void): Promise<void> => {
      setCheckingIn(ids);
      const isDone = await sendSeveral(ids, true);
      setCheckingIn(null);
      if (!isDone) return;
      onEnd();
      const undo = () => {
        onEnd();
        void sendSeveral(ids, false);
      };
      toast({
        text: t.checkedIn(ids.length),
        duration: UNDO_MS,
        action: { label: t.undo, run: undo },
      });
    },
    /** The ids of those that are being checked in at once. */
    checkingIn,
  };
}
