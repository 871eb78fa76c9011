import * as calls from "@marketday/contracts/calls";
import type { Product } from "@marketday/contracts/products";
import { MOST_ORDERED_ROWS, QUICK_SHOP_ROWS } from "@marketday/domain/limits";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";

import { call, callPaged } from "../../lib/api.ts";
import { listOfProducts } from "../products/api.ts";
import { useShopper } from "../session/api.ts";
import { FAVORITES } from "./api.ts";

const favoritesQuery = (hubId: number | null, page: number) =>
  queryOptions({
    queryKey: [...FAVORITES, hubId, page] as const,
    queryFn: ({ signal }) =>
      callPaged(calls.listFavoriteProducts, { querystring: { page, perPage: QUICK_SHOP_ROWS } }, { signal }),
    meta: { productsOf: ({ rows }: { rows: Product[] }) => rows },
  });

/** What a customer gave a heart, 40 a page (spec §9 Quick Shop), with how many there are in all. */
export function useFavorites(page: number) {
  const { hubId, isRegistered } = useShopper();
  return useQuery({ ...favoritesQuery(hubId, page), enabled: isRegistered, placeholderData: keepPreviousData });
}

/** What a customer ordered most often, at most 5. */
export function useMostOrdered() {
  const { hubId, isRegistered } = useShopper();
  return useQuery({
    queryKey: ["most-ordered", hubId] as const,
    queryFn: ({ signal }) =>
      call(calls.listMostOrdered, { querystring: { page: 1, perPage: MOST_ORDERED_ROWS } }, { signal }),
    meta: listOfProducts,
    enabled: isRegistered,
  });
}
