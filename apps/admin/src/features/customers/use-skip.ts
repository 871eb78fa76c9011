import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import * as t from "#messages/customers";

import { call } from "../../lib/api.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { isUnknown } from "../orders/api.ts";
import { RequestKeys } from "../session/request-key.ts";
import { boxesQuery, currentBoxes, type Customer, type CustomerBox, rereadCustomer } from "./api.ts";

/** Skips one delivery day for a person, or takes it back. Each day has its own request: no day waits for another. */
export function useSkip({ id }: Pick<Customer, "id">, delivery: number) {
  const client = useQueryClient();
  const keys = useRef(new RequestKeys());
  const { queryKey } = boxesQuery(id);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (isSkipped: boolean) =>
      keys.current.run({ id, delivery, isSkipped }, (idempotencyKey) =>
        call(calls.putCustomerSkip, { params: { id, delivery }, body: { isSkipped } }, { idempotencyKey }),
      ),
    onSuccess: (action, isSkipped) => {
      cacheAction(client, action);
      cacheAnswer<CustomerBox[]>(client, queryKey, (boxes) =>
        boxes?.map((box) => (box.deliveryId === delivery ? { ...box, isSkipped } : box)),
      );
      rereadCustomer(client, id);
    },
    onError: (cause) => {
      const current = currentBoxes(cause);
      if (current) cacheAnswer(client, queryKey, current);
      rereadCustomer(client, id);
      void rereadActions(client);
    },
  });
  return {
    skip: (isSkipped: boolean) => {
      if (!isPending) mutate(isSkipped);
    },
    isPending,
    failure: error && (currentBoxes(error) ? t.skipConflict : isUnknown(error) ? t.skipUnknown : messageOf(error)),
  };
}
