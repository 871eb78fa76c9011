import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { announce } from "@marketday/ui/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/door";

import { call } from "../../lib/api.ts";
import { rereadActions } from "../actions/api.ts";
import { forgetKeys } from "../session/request-key.ts";
import { type DoorBox, doorQuery } from "./api.ts";
import { showDoor, writeDoor } from "./day-writes.ts";
import { formatBox } from "./format.ts";

/** Takes the payment of one box back. `failure`: why it was not, until the next try. */
export function useUndoBox(hub: string, date: string) {
  const client = useQueryClient();
  const { queryKey } = doorQuery(hub, date);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ orderId }: DoorBox) =>
      writeDoor(hub, date, () => call(calls.undoDoorPayment, { params: { hub, date }, body: { orderId } })),
    onSuccess: async (door, box) => {
      forgetKeys();
      void rereadActions(client);
      void client.invalidateQueries({ queryKey: ["today"] });
      announce(t.undone(formatBox(box), box.amount));
      await showDoor(client, hub, date, door);
    },
    onError: () => void client.invalidateQueries({ queryKey }),
  });
  return {
    undo: (box: DoorBox) => {
      if (!isPending) mutate(box);
    },
    isUndoing: isPending,
    failure: error && (error instanceof ApiError && error.isOffline ? t.undoUnknown : messageOf(error)),
  };
}
