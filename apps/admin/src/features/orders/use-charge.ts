import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { announce } from "@marketday/ui/live-region.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import * as t from "#messages/orders";

import { call } from "../../lib/api.ts";
import { RequestKeys } from "../session/request-key.ts";
import { currentBox, isUnknown, orderQuery } from "./api.ts";

/** Charges a declined box again, at once: the card says yes or no. */
export function useCharge({ id, version }: OrderBox) {
  const client = useQueryClient();
  const keys = useRef(new RequestKeys());
  const { queryKey } = orderQuery(String(id));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const sent = { params: { id }, body: { reason: "", expectedVersion: version } };
      return keys.current.run(sent, (idempotencyKey) => call(calls.chargeOrder, sent, { idempotencyKey }));
    },
    onSuccess: ({ charged, box }) => {
      cacheAnswer(client, queryKey, box);
      announce(t.chargedAgain(formatMoney(charged)));
    },
    onError: (cause) => {
      const current = currentBox(cause);
      if (current) cacheAnswer(client, queryKey, current);
      else void client.invalidateQueries({ queryKey, exact: true });
    },
  });
  return {
    charge: () => {
      if (!isPending) mutate();
    },
    isCharging: isPending,
    failure: error && (currentBox(error) ? t.verbConflict : isUnknown(error) ? t.chargeUnknown : messageOf(error)),
  };
}
