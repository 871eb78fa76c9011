import * as calls from "@marketday/contracts/calls";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { reloadSession } from "../session/api.ts";

/** Moves the shopper to another hub and refetches session, feed and cart (spec §4 Switching hub). */
export async function switchHubOf(client: QueryClient, id: number): Promise<void> {
  await call(calls.putHubSwitch, { params: { id } });
  await reloadSession(client);
}

export function useSwitchHub() {
  const client = useQueryClient();
  return (id: number): Promise<void> => switchHubOf(client, id);
}
