import * as calls from "@marketday/contracts/calls";
import { MOST_ORDERED_ROWS, QUICK_SHOP_ROWS } from "@marketday/domain/limits";
import { toast } from "@marketday/ui/toast-store.ts";
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";

import { call, callPaged } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { patchProduct } from "../products/api.ts";
import { useShopper } from "../session/api.ts";
import { HeartQueue } from "./heart-queue.ts";

const favoriteKeys = {
  all: ["favorites"] as const,
  page: (hubId: number | null, page: number) => ["favorites", hubId, page] as const,
  mostOrdered: (hubId: number | null) => ["most-ordered", hubId] as const,
};

const favoritesQuery = (hubId: number | null, page: number) =>
  queryOptions({
    queryKey: favoriteKeys.page(hubId, page),
    queryFn: ({ signal }) =>
      callPaged(calls.listFavoriteProducts, { querystring: { page, perPage: QUICK_SHOP_ROWS } }, { signal }),
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
    queryKey: favoriteKeys.mostOrdered(hubId),
    queryFn: ({ signal }) =>
      call(calls.listMostOrdered, { querystring: { page: 1, perPage: MOST_ORDERED_ROWS } }, { signal }),
    enabled: isRegistered,
  });
}

/** What an empty cart offers, at most four; also for guests. */
export function useUsuals() {
  const { hubId, customerId } = useShopper();
  return useQuery({
    queryKey: ["usuals", hubId, customerId] as const,
    queryFn: ({ signal }) => call(calls.listUsuals, undefined, { signal }),
    enabled: hubId !== null,
    staleTime: 5 * 60_000,
  });
}

const queues = new WeakMap<QueryClient, HeartQueue>();

/** The hearts on their way, one queue for the app. */
export function heartsOf(client: QueryClient): HeartQueue {
  const known = queues.get(client);
  if (known) return known;
  const queue = new HeartQueue({
    send: async (productId, on) => {
      const route = { params: { id: String(productId) } };
      const answer = on ? await call(calls.favoriteProduct, route) : await call(calls.unfavoriteProduct, route);
      return answer.isFavorite;
    },
    onAcknowledged: (id, isFavorite) => {
      patchProduct(client, id, { isFavorite });
      // A new heart comes into the list at once. One taken away stays until the list is opened again, so that a slip
      // can be undone where it happened.
      void client.invalidateQueries({ queryKey: favoriteKeys.all, refetchType: isFavorite ? "active" : "none" });
    },
    onRefused: (_id, _on, error) =>
      toast({ text: error instanceof Error ? error.message : messages.network, tone: "error" }),
  });
  queues.set(client, queue);
  return queue;
}
