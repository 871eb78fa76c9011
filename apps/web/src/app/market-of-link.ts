import type { Customer } from "@marketday/contracts/account";
import type { QueryClient } from "@tanstack/react-query";

import { hubListQuery, switchHubOf } from "../features/hubs/api.ts";
import { toastMarket } from "../features/hubs/market-toast.ts";
import type { Place } from "../features/session/api.ts";

/** Names the market of a link that a customer of another one came by, with the way there. Without an answer nothing is shown. */
export async function offerMarketOfLink(client: QueryClient, customer: Customer, place: Place): Promise<void> {
  if (!("hubId" in place) || place.hubId === customer.hubId) return;
  const hubs = await client.ensureQueryData(hubListQuery).catch(() => []);
  const linked = hubs.find(({ id }) => id === place.hubId);
  const own = hubs.find(({ id }) => id === customer.hubId);
  if (linked && own) toastMarket(own.name, linked, "Switch", (id) => switchHubOf(client, id));
}
