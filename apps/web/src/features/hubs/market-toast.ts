import type { Customer } from "@marketday/contracts/account";
import { toast } from "@marketday/ui/toast-store.ts";
import type { QueryClient } from "@tanstack/react-query";

import { messages } from "../../lib/messages.ts";
import { hubListQuery } from "./area-api.ts";
import { switchHubOf } from "./switch-hub.ts";

/** Long enough to read two names and to choose. */
const DURATION = 12_000;

/**
 * Names a market that a customer comes from or by a link to, and the one of their account, with the way there. A cart of it says so
 * itself (docs/product.md §3 "Market of a session"). Without an answer nothing is shown.
 */
export async function offerMarket(
  client: QueryClient,
  customer: Customer,
  hubId: number,
  isLink = false,
): Promise<void> {
  if (hubId === customer.hubId) return;
  const hubs = await client.ensureQueryData(hubListQuery).catch(() => []);
  const other = hubs.find(({ id }) => id === hubId);
  const own = hubs.find(({ id }) => id === customer.hubId);
  if (!other || !own) return;
  const account = `Your account shops at ${own.name}.`;
  const text = isLink ? `This link is for ${other.name}. ${account}` : `${account} You were at ${other.name} before.`;
  toast({
    text,
    duration: DURATION,
    action: {
      label: `${isLink ? "Switch to" : "Stay at"} ${other.name}`,
      run: () => void switchHubOf(client, hubId).catch(() => toast({ text: messages.hubSwitch, tone: "error" })),
    },
  });
}
