import { deviceNow } from "@marketday/client/clock.ts";
import * as calls from "@marketday/contracts/calls";
import type { FeedCard } from "@marketday/contracts/feed";
import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { setItem, getItem } from "../../lib/storage.ts";
import { cardsWithProducts } from "../products/api.ts";
import { useShopper } from "../session/api.ts";

export const feedKeys = {
  all: ["feed"] as const,
  one: (hubId: number | null) => ["feed", hubId] as const,
};

interface KeptFeed {
  at: number;
  cards: FeedCard[];
}
const keptName = (hubId: number | null) => `feed:${hubId}`;
const keepFeed = (hubId: number | null, cards: FeedCard[]) =>
  setItem("session", keptName(hubId), { at: deviceNow(), cards } satisfies KeptFeed);

/** The hub's feed, kept in this tab per hub (spec §9): what was there shows at once and while the market is away. */
const feedQuery = (hubId: number | null) =>
  queryOptions({
    queryKey: feedKeys.one(hubId),
    queryFn: async ({ signal }): Promise<FeedCard[]> => {
      const cards = await call(calls.getFeed, undefined, { signal });
      keepFeed(hubId, cards);
      return cards;
    },
    enabled: hubId !== null,
    initialData: () => getItem<KeptFeed>("session", keptName(hubId))?.cards,
    initialDataUpdatedAt: () => getItem<KeptFeed>("session", keptName(hubId))?.at,
    staleTime: 5 * 60_000,
    meta: cardsWithProducts,
  });

export function seedFeed(client: QueryClient): void {
  const hubId = boot.session?.hubId ?? null;
  if (!boot.feed || hubId === null) return;
  client.setQueryData(feedKeys.one(hubId), boot.feed);
  keepFeed(hubId, boot.feed);
}

export function useFeed() {
  const { hubId } = useShopper();
  return useQuery(feedQuery(hubId));
}
