import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";
import type { Hub, HubMap } from "@marketday/contracts/hubs";
import { Hour } from "@marketday/domain/time";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { hubKeys } from "./api.ts";

/** Every market, by name; no session needed. */
export const hubListQuery = queryOptions({
  queryKey: hubKeys.all,
  queryFn: ({ signal }): Promise<Hub[]> => call(calls.listHubs, undefined, { signal }),
  staleTime: Hour.ms,
});

/** The server's drawing of a market's delivery area. */
export const hubMapQuery = (id: number) =>
  queryOptions({
    queryKey: [...hubKeys.one(id), "map"],
    queryFn: ({ signal }): Promise<HubMap> => call(calls.getHubMap, { params: { id } }, { signal }),
    staleTime: Hour.ms,
  });

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
