import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { announce } from "@marketday/ui/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/orders";

import { call } from "../../lib/api.ts";
import { rereadActions } from "../actions/api.ts";
import { doorQuery } from "../door/api.ts";
import { forgetKeys } from "../session/request-key.ts";
import { isUnknown } from "./api.ts";

/** Takes back the payment of this box alone, of those that were recorded together. `failure`: why it was not, until the next try. */
export function useUndoPaid({ id, hub, day }: Pick<OrderBox, "id" | "hub" | "day">) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(calls.undoDoorPayment, { params: { hub: hub.slug, date: day }, body: { orderId: id } }),
    onSuccess: (door) => {
      forgetKeys();
      cacheAnswer(client, doorQuery(hub.slug, day).queryKey, door);
      announce(t.paidUndone);
    },
    onSettled: () => {
      void client.invalidateQueries({ predicate: ({ queryKey }) => OLD.has(String(queryKey[0])) });
      void rereadActions(client);
    },
  });
  return {
    undo: () => {
      if (!isPending) mutate();
    },
    isUndoing: isPending,
    failure: error && (isUnknown(error) ? t.paidUndoUnknown : messageOf(error)),
  };
}

/** The first parts of the keys of what it makes old. */
const OLD = new Set(["today", "day", "order"]);
