import { toast } from "@marketday/ui/toast-store.ts";
import type { QueryClient } from "@tanstack/react-query";

import { offerMarket } from "../features/hubs/market-toast.ts";
import { adoptCustomer, createGuest, type Place, sessionQuery } from "../features/session/api.ts";
import { messages } from "../lib/messages.ts";

/** Makes the guest that the address asks for. A customer with an account stays in their market, and is offered the link's (docs/product.md §3). */
export async function enterPlace(client: QueryClient, place: Place): Promise<void> {
  const session = await client.ensureQueryData(sessionQuery).catch(() => null);
  const profile = session?.profile;
  if (profile?.isGuest === false) return "hubId" in place ? offerMarket(client, profile, place.hubId, true) : undefined;
  await createGuest(place)
    .then((customer) => adoptCustomer(client, customer))
    .catch(() => toast({ text: messages.notSupported, tone: "error" }));
}
