import * as calls from "@marketday/contracts/calls";
import type { Hub } from "@marketday/contracts/hubs";
import { queryOptions, skipToken, useQuery, type QueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { useShopper } from "../session/api.ts";

export const hubKeys = {
  all: ["hubs"] as const,
  one: (id: number | null) => ["hubs", id] as const,
};

const HOUR = 60 * 60_000;

export const hubQuery = (id: number | null) =>
  queryOptions({
    queryKey: hubKeys.one(id),
    queryFn: id === null ? skipToken : ({ signal }): Promise<Hub> => call(calls.getHub, { params: { id } }, { signal }),
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
