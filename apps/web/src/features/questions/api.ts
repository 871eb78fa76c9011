import * as calls from "@marketday/contracts/calls";
import { ROWS_MAX } from "@marketday/domain/limits";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { useShopper } from "../session/api.ts";

const questionKeys = {
  /** The asker sees open ones too. */
  list: (customerId: number | string | null, productId: number) => ["questions", customerId, productId] as const,
};

/** The answered questions about a product and the shopper's own open ones; newest first, at most 100. */
export function useQuestions(productId: number) {
  const { customerId } = useShopper();
  return useQuery({
    queryKey: questionKeys.list(customerId, productId),
    queryFn: ({ signal }) =>
      call(
        calls.listQuestions,
        { params: { id: String(productId) }, querystring: { page: 1, perPage: ROWS_MAX } },
        { signal },
      ),
    // A guest who comes back with an account finds the form where it was, not a list that loads.
    placeholderData: keepPreviousData,
  });
}

/** Sends a question to the vendor; the list is refetched. Throws ApiError. */
export function useAsk(productId: number) {
  const client = useQueryClient();
  return async (question: string): Promise<void> => {
    await call(calls.postQuestion, { params: { id: String(productId) }, body: { question } });
    await client.invalidateQueries({ queryKey: ["questions"] });
  };
}
