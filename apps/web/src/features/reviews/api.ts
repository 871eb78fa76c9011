import * as calls from "@marketday/contracts/calls";
import { ROWS_MAX } from "@marketday/domain/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";

import { call, callPaged } from "../../lib/api.ts";
import { productKeys } from "../products/api.ts";

const reviewKeys = { list: (productId: number) => ["reviews", productId] as const };

/** The newest reviews of a product, as many as one call gives (100), with how many there are. */
export function useReviews(productId: number) {
  return useQuery({
    queryKey: reviewKeys.list(productId),
    queryFn: ({ signal }) =>
      callPaged(
        calls.listReviews,
        { params: { id: String(productId) }, querystring: { page: 1, perPage: ROWS_MAX } },
        { signal },
      ),
  });
}

/** Posts a review, then refetches the reviews and the product's rating (spec §4 Review flow). Throws ApiError. */
export function usePostReview(productId: number) {
  const client = useQueryClient();
  return async (review: { rating: number; comment: string }): Promise<void> => {
    await call(calls.postReview, { params: { id: String(productId) }, body: review });
    await Promise.all([
      client.invalidateQueries({ queryKey: reviewKeys.list(productId) }),
      client.invalidateQueries({ queryKey: productKeys.all }),
    ]);
  };
}
