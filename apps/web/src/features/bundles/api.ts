import type { Bundle } from "@marketday/contracts/bundles";
import * as calls from "@marketday/contracts/calls";
import type { IntervalWeeks } from "@marketday/domain/limits";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { call } from "../../lib/api.ts";
import { cartKey } from "../cart/cart-provider.tsx";
import { withProducts } from "../products/api.ts";
import { useShopper } from "../session/api.ts";
import { hasBundles } from "./has-bundles.ts";
import { bundleState, reloadsOnHubs } from "./state.ts";

const bundleKeys = {
  lists: ["bundles"] as const,
  list: (hubId: number | null) => ["bundles", hubId] as const,
  ones: ["bundle"] as const,
  /** `key` is the slug or id of the address. */
  one: (hubId: number | null, key: string) => ["bundle", hubId, key] as const,
};

const listQuery = (hubId: number | null) =>
  queryOptions({
    queryKey: bundleKeys.list(hubId),
    queryFn: ({ signal }): Promise<Bundle[]> => call(calls.listBundles, undefined, { signal }),
    meta: { productsOf: (bundles: Bundle[]) => bundles.flatMap(({ products }) => products) },
    enabled: hubId !== null && hasBundles(hubId),
  });

/** The hub's bundles with their state of spec §4; read again when the shopper's hubs change and they are not there. */
export function useBundles() {
  const { hubId, profile } = useShopper();
  const query = useQuery(listQuery(hubId));
  const { data, error, isError, isFetching, refetch } = query;
  const state = bundleState({ hubId, hasData: data !== undefined, isError, isFetching });
  const hubs = JSON.stringify(profile?.hubs ?? []);
  const known = useRef(hubs);
  useEffect(() => {
    if (known.current === hubs) return;
    known.current = hubs;
    if (reloadsOnHubs(state, hubId)) void refetch();
  }, [hubs, state, hubId, refetch]);
  return { bundles: data, error, state, query, retry: () => void refetch() };
}

export const bundleQuery = (hubId: number | null, key: string) =>
  queryOptions({
    queryKey: bundleKeys.one(hubId, key),
    queryFn: ({ signal }): Promise<Bundle> => call(calls.getBundle, { params: { id: key } }, { signal }),
    meta: withProducts,
  });

/** A bundle by slug or id; what the list knew of it shows at once, and stays when the bundle cannot be read. */
export function useBundle(key: string) {
  const { hubId } = useShopper();
  const client = useQueryClient();
  const provisional = () =>
    client.getQueryData<Bundle[]>(bundleKeys.list(hubId))?.find(({ id, slug }) => slug === key || String(id) === key);
  const query = useQuery({
    ...bundleQuery(hubId, key),
    enabled: hasBundles(hubId),
    placeholderData: provisional,
  });
  return { ...query, data: query.data ?? (query.error ? provisional() : undefined) };
}

function adoptBundle(client: QueryClient, bundle: Bundle): void {
  const patch = (one: Bundle) => (one.id === bundle.id ? bundle : one);
  client.setQueriesData<Bundle>({ queryKey: bundleKeys.ones }, (one) => one && patch(one));
  client.setQueriesData<Bundle[]>({ queryKey: bundleKeys.lists }, (all) => all?.map(patch));
  // Its lines came into the cart, or went.
  void client.invalidateQueries({ queryKey: cartKey });
  void client.invalidateQueries({ queryKey: ["subscriptions"] });
}

/** Subscribes, or changes the interval (weeks). Throws ApiError. */
export async function subscribe(client: QueryClient, bundle: Bundle, interval: IntervalWeeks): Promise<void> {
  const input = { params: { id: bundle.slug }, body: { subscription_interval: interval } };
  adoptBundle(client, await call(calls.subscribeBundle, input));
}

/** Ends the subscription. Throws ApiError. */
export async function unsubscribe(client: QueryClient, bundle: Bundle): Promise<void> {
  adoptBundle(client, await call(calls.unsubscribeBundle, { params: { id: bundle.slug } }));
}
