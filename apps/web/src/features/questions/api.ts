import * as calls from "@marketday/contracts/calls";
import { ROWS_MAX } from "@marketday/domain/limits";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { useShopper } from "../session/api.ts";

const questionKeys = {
  /** The asker sees open ones too. */
  list: (customerId: number | string | null, productId: number) => ["questions", customerId, productId] as const,
};

/** What was asked about a product and answered, with the shopper's own that are open; newest first, at most 100. */
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

/** Asks the vendor; the list is read anew. Throws ApiError. */
export function useAsk(productId: number) {
  const client = useQueryClient();
  return async (question: string): Promise<void> => {
    await call(calls.postQuestion, { params: { id: String(productId) }, body: { question } });
    await client.invalidateQueries({ queryKey: ["questions"] });
  };
}
