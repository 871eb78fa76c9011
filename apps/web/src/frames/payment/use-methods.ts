import { cacheAnswer } from "@marketday/client/query-client.ts";
import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import type { PaymentMethod } from "@marketday/contracts/payments";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { useCustomerId } from "../shell/use-account.ts";

/** Of one customer: after a session ends, another one may log in on the same page. */
const methodsQuery = (customerId: Customer["customerId"] | null) =>
  queryOptions({
    queryKey: ["payment-methods", customerId],
    queryFn: ({ signal }) => call(calls.listPaymentMethods, undefined, { signal }),
  });

/** The saved cards, the default first; undefined while they are on their way. */
export function useMethods() {
  const client = useQueryClient();
  const query = methodsQuery(useCustomerId());
  const { data, error, refetch } = useQuery(query);
  return {
    methods: data,
    error: error?.message ?? null,
    load: refetch,
    setMethods: (methods: PaymentMethod[]) => cacheAnswer(client, query.queryKey, methods),
  };
}
