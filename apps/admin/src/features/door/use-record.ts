import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { DayDoor } from "@marketday/contracts/admin/door";
import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/door";

import { call } from "../../lib/api.ts";
import { formatOrderNumber } from "../../lib/order-number.ts";
import { cacheAction } from "../actions/api.ts";
import { RequestKeys } from "../session/request-key.ts";
import { type DoorBox, doorQuery, findCurrent } from "./api.ts";
import { showDoor, writeDoor } from "./day-writes.ts";
import { formatBox, formatName, sumOf } from "./format.ts";

interface Refused {
  orderId: number;
  message: string;
}

/** The boxes that the server refused, each with its sentence; none when it failed otherwise. */
const refusedOf = (error: Error | null): readonly Refused[] =>
  error instanceof ApiError && error.code === "refused"
    ? ((error.details["refused"] as Refused[] | undefined) ?? [])
    : [];

function failureOf(error: Error, boxes: readonly DoorBox[]): string {
  if (error instanceof ApiError && error.isOffline) return t.recordUnknown;
  const lines = refusedOf(error).map(({ orderId, message }) => {
    const box = boxes.find((each) => each.orderId === orderId);
    return t.refusedBox(box ? t.named(formatBox(box), formatName(box)) : t.order(formatOrderNumber(orderId)), message);
  });
  return lines.length > 0 ? [...lines, t.nothingRecorded].join("\n") : messageOf(error);
}

const mutationKey = (hub: string, date: string) => ["record door payments", hub, date] as const;

/** Payments of this day are on their way to the server. */
export const useIsRecording = (hub: string, date: string): boolean =>
  useIsMutating({ mutationKey: mutationKey(hub, date) }) > 0;

/**
 * Records boxes as paid, with the sum that is shown; `onRecorded` also runs when the person has left the screen. `failure`: the sentence to
 * show until the next try; after a conflict the day is shown as it is now.
 */
export function useRecord(hub: string, date: string, onRecorded: (boxes: readonly DoorBox[]) => void) {
  const client = useQueryClient();
  const { queryKey } = doorQuery(hub, date);
  const [keys] = useState(() => new RequestKeys());
  const {
    mutate,
    isPending,
    error,
    reset,
    variables = [],
  } = useMutation({
    mutationKey: mutationKey(hub, date),
    mutationFn: (boxes: readonly DoorBox[]) => {
      const body = { orderIds: boxes.map(({ orderId }) => orderId), amount: sumOf(boxes) };
      return writeDoor(hub, date, () =>
        keys.run([hub, date, body], (key) =>
          call(calls.recordDoorPayments, { params: { hub, date }, body }, { idempotencyKey: key }),
        ),
      );
    },
    onSuccess: async ({ answer: { door, action }, isNewest }, boxes) => {
      onRecorded(boxes);
      // Announced by its toast.
      if (action) cacheAction(client, action);
      void client.invalidateQueries({ queryKey: ["today"] });
      await showDoor(client, hub, date, { answer: door, isNewest });
    },
    onError: (cause) => {
      const current = findCurrent(cause);
      if (current) cacheAnswer<DayDoor>(client, queryKey, current);
      else void client.invalidateQueries({ queryKey });
    },
  });
  return {
    record: (boxes: readonly DoorBox[]) => {
      if (!isPending) mutate(boxes);
    },
    isRecording: isPending,
    failure: error && failureOf(error, variables),
    /** Of the boxes of the last try. */
    triedIds: variables.map(({ orderId }) => orderId),
    /** Of the boxes that were refused. */
    refusedIds: refusedOf(error).map(({ orderId }) => orderId),
    clearFailure: reset,
  };
}
