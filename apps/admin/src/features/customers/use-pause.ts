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
import { currentCustomer, type Customer, customerQuery, rereadCustomer } from "./api.ts";

/** Pauses or resumes the automatic orders of a person. `onDone` runs when the server has it. */
export function usePause({ id, version }: Pick<Customer, "id" | "version">, onDone?: () => void) {
  const client = useQueryClient();
  const keys = useRef(new RequestKeys());
  const { queryKey } = customerQuery(String(id));
  const { mutate, isPending, error } = useMutation({
    mutationFn: (autoCheckout: Customer["autoCheckout"]) => {
      const sent = { params: { id }, body: { autoCheckout, expectedVersion: version } };
      return keys.current.run(sent, (idempotencyKey) => call(calls.putCustomerPause, sent, { idempotencyKey }));
    },
    onSuccess: (action, autoCheckout) => {
      cacheAction(client, action);
      cacheAnswer<Customer>(client, queryKey, (customer) => customer && { ...customer, autoCheckout });
      rereadCustomer(client, id);
      onDone?.();
    },
    onError: (cause) => {
      const current = currentCustomer(cause);
      if (current) cacheAnswer(client, queryKey, current);
      else rereadCustomer(client, id);
      void rereadActions(client);
    },
  });
  return {
    put: (autoCheckout: Customer["autoCheckout"]) => {
      if (!isPending) mutate(autoCheckout);
    },
    isPending,
    failure: error && (currentCustomer(error) ? t.conflict : isUnknown(error) ? t.unknown : messageOf(error)),
  };
}
