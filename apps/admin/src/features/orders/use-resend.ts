import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { call } from "../../lib/api.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { RequestKeys } from "../session/request-key.ts";
import { orderQuery } from "./api.ts";

/** Sends a mail of an order again: it is held, and can be undone until it leaves. `sending`: the mail of a request on its way. */
export function useResend({ id }: OrderBox) {
  const client = useQueryClient();
  const keys = useRef(new RequestKeys());
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (mail: number) =>
      keys.current.run({ id, mail }, (idempotencyKey) =>
        call(calls.resendMail, { params: { id, mail } }, { idempotencyKey }),
      ),
    onSuccess: (action) => cacheAction(client, action),
    onError: () => {
      void client.invalidateQueries({ queryKey: orderQuery(String(id)).queryKey });
      void rereadActions(client);
    },
  });
  return {
    resend: (mail: number) => {
      if (!isPending) mutate(mail);
    },
    sending: isPending ? variables : null,
    failure: error && messageOf(error),
  };
}
