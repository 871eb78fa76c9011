import type { Customer } from "@marketday/contracts/account";
import { toast } from "@marketday/ui/toast-store.ts";
import type { QueryClient } from "@tanstack/react-query";

import { messages } from "../../lib/messages.ts";
import type { Place } from "../session/api.ts";
import { hubListQuery } from "./area-api.ts";
import { switchHubOf } from "./switch-hub.ts";

/** Long enough to read two names and to choose. */
const DURATION = 12_000;

const offer = (client: QueryClient, text: string, label: string, hubId: number) =>
  toast({
    text,
    duration: DURATION,
    action: {
      label,
      run: () => void switchHubOf(client, hubId).catch(() => toast({ text: messages.hubSwitch, tone: "error" })),
    },
  });

/**
 * After a login that led to the account's own market: names it and the one before, with the way back. A cart of that one says so itself
 * (docs/product.md §3 "Market of a session").
 */
export function offerMarketBefore(client: QueryClient, customer: Customer, before: { id: number; name: string }): void {
  const own = customer.hubs.find(({ id }) => id === customer.hubId);
  if (!own || own.id === before.id) return;
  const text = `Your account shops at ${own.name}. You were at ${before.name} before.`;
  offer(client, text, `Stay at ${before.name}`, before.id);
}

/** Names the market of a link that a customer of another one came by, with the way there. Without an answer nothing is shown. */
export async function offerMarketOfLink(client: QueryClient, customer: Customer, place: Place): Promise<void> {
  if (!("hubId" in place) || place.hubId === customer.hubId) return;
  const hubs = await client.ensureQueryData(hubListQuery).catch(() => []);
  const linked = hubs.find(({ id }) => id === place.hubId);
  const own = hubs.find(({ id }) => id === customer.hubId);
  if (!linked || !own) return;
  const text = `This link is for ${linked.name}. Your account shops at ${own.name}.`;
  offer(client, text, `Switch to ${linked.name}`, linked.id);
}
