import * as calls from "@marketday/contracts/calls";
import type { Banner } from "@marketday/contracts/cart";
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { useShopper } from "../session/api.ts";

const bannersKey = (hubId: number | null) => ["banners", hubId] as const;

/** The banners of the market, without those of cart lines. */
export const isOfMarket = ({ id }: Banner): boolean => id.startsWith("banner-");

const bannersQuery = (hubId: number | null) =>
  queryOptions({
    queryKey: bannersKey(hubId),
    queryFn: ({ signal }): Promise<Banner[]> => call(calls.listBanners, undefined, { signal }),
    enabled: hubId !== null,
    staleTime: 5 * 60_000,
  });

/** The cart that came with the page has them: the first view asks for nothing. */
export function seedBanners(client: QueryClient): void {
  if (boot.cart && boot.session)
    client.setQueryData(bannersKey(boot.session.hubId), boot.cart.banners.filter(isOfMarket));
}

/** What hangs in the hub now (spec §7.8), warnings first. */
export function useBanners() {
  const { hubId } = useShopper();
  return useQuery(bannersQuery(hubId));
}
