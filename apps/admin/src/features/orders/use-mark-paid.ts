import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { DayDoor } from "@marketday/contracts/admin/door";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { announce } from "@marketday/ui/live-region.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import * as t from "#messages/orders";

import { call } from "../../lib/api.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { RequestKeys } from "../session/request-key.ts";
import { boxesQuery, currentDoor, isUnknown, orderQuery } from "./api.ts";

type DoorBox = DayDoor["groups"][number]["boxes"][number];

/** A box in the money at the door, while it is due. */
const findDue = ({ groups }: DayDoor, orderIds: readonly number[]): DoorBox | undefined =>
  groups.flatMap(({ boxes }) => boxes).find(({ orderId, state }) => state === "due" && orderIds.includes(orderId));

/** Records a box as paid at the door, at once, with the amount that the person sees. */
export function useMarkPaid(order: OrderBox) {
  const { id, orderIds, hub, day, money } = order;
  const client = useQueryClient();
  const keys = useRef(new RequestKeys());
  // What the server says is due, when it is another amount than the box's: an order of another day is paid with it.
  const [door, setDoor] = useState<{ due: DoorBox; of: OrderBox } | null>(null);
  const due = door?.of.version === order.version ? door.due : null;
  const amount = due?.amount ?? money.amount;
  const { mutate, isPending, error } = useMutation({
    mutationFn: (sent: { params: { hub: string; date: string }; body: { orderIds: number[]; amount: number } }) =>
      keys.current.run(sent, (idempotencyKey) => call(calls.recordDoorPayments, sent, { idempotencyKey })),
    onSuccess: ({ action }, { body }) => {
      // An action is announced by its toast.
      if (action) cacheAction(client, action);
      else announce(t.paidRecorded(formatMoney(body.amount)));
    },
    onError: (cause) => {
      const current = currentDoor(cause);
      const found = current && findDue(current, orderIds);
      setDoor(found ? { due: found, of: order } : null);
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: orderQuery(String(id)).queryKey });
      void client.invalidateQueries({ queryKey: boxesQuery(hub.slug, day).queryKey });
      void rereadActions(client);
    },
  });
  return {
    amount,
    record: () => {
      if (!isPending) mutate({ params: { hub: hub.slug, date: day }, body: { orderIds: [id], amount } });
    },
    isRecording: isPending,
    failure: error && failureOf(error, due),
  };
}

/** Why a payment was not recorded, with what is due now. */
function failureOf(error: Error, due: DoorBox | null): string {
  if (isUnknown(error)) return t.paidUnknown;
  if (currentDoor(error) === null) return messageOf(error);
  if (due === null) return t.paidGone;
  const elsewhere = due.elsewhere > 0 ? t.paidElsewhere(formatMoney(due.elsewhere)) : "";
  return `${t.paidConflict(formatMoney(due.amount))} ${elsewhere}`.trim();
}
