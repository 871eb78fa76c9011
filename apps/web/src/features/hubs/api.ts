import * as calls from "@marketday/contracts/calls";
import type { Hub, HubMap } from "@marketday/contracts/hubs";
import { queryOptions, skipToken, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { ApiError, call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { reloadVisitor, useShopper } from "../session/api.ts";

export const hubKeys = {
  all: ["hubs"] as const,
  one: (id: number | null) => ["hubs", id] as const,
  map: (id: number) => ["hubs", id, "map"] as const,
};

const HOUR = 60 * 60_000;

export const hubQuery = (id: number | null) =>
  queryOptions({
    queryKey: hubKeys.one(id),
    queryFn: id === null ? skipToken : ({ signal }): Promise<Hub> => call(calls.getHub, { params: { id } }, { signal }),
    staleTime: HOUR,
  });

/** Every market, by name; no session needed. */
export const hubListQuery = queryOptions({
  queryKey: hubKeys.all,
  queryFn: ({ signal }): Promise<Hub[]> => call(calls.listHubs, undefined, { signal }),
  staleTime: HOUR,
});

/** The server's drawing of a market's delivery area. */
export const hubMapQuery = (id: number) =>
  queryOptions({
    queryKey: hubKeys.map(id),
    queryFn: ({ signal }): Promise<HubMap> => call(calls.getHubMap, { params: { id } }, { signal }),
    staleTime: HOUR,
  });

export function seedHub(client: QueryClient): void {
  if (boot.hub) client.setQueryData<Hub>(hubKeys.one(boot.hub.id), boot.hub);
}

/** The hub the shopper is in; null while unknown, or where there is none yet. */
export function useHub(): Hub | null {
  const { hubId } = useShopper();
  return useQuery(hubQuery(hubId)).data ?? null;
}

/** A market that comes to a place. */
export interface ServingHub {
  id: number;
  name: string;
  /** English weekday. */
  deliveryDay: string;
}

/** The markets that deliver to a zip, nearest first; empty where none does. Changes nothing. Throws ApiError. */
export async function hubsAt(zipCode: string, signal?: AbortSignal): Promise<ServingHub[]> {
  try {
    const answer = await call(calls.createGuest, { querystring: { zipCode, check: "true" } }, { signal });
    return answer.hubs;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** Moves the shopper to another hub and refetches session, feed and cart (spec §4 Switching hub). */
export async function switchHubOf(client: QueryClient, id: number): Promise<void> {
  await call(calls.putHubSwitch, { params: { id } });
  await reloadVisitor(client);
}

export function useSwitchHub() {
  const client = useQueryClient();
  return (id: number): Promise<void> => switchHubOf(client, id);
}
