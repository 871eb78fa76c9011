import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import { messages } from "../../lib/messages.ts";
import { useNavigation } from "../../navigation/use-navigation.tsx";
import { useHub, useSwitchHub } from "../hubs/api.ts";
import { toastMarket } from "../hubs/market-toast.ts";
import { reloadVisitor } from "../session/api.ts";

/**
 * After `customer-logged-in` (spec §4): the session is verified and everything that belongs to it refetched, then
 * `onVerified`. When that fails the frame closes, with §8's sentence.
 */
export function useFrameLogin() {
  const client = useQueryClient();
  const { close } = useNavigation();
  const before = useHub();
  const switchHub = useSwitchHub();
  return async (onVerified?: () => void): Promise<void> => {
    try {
      const { profile } = await reloadVisitor(client);
      if (!profile || profile.isGuest) throw new Error("The frame logged in, the session did not.");
      const own = profile.hubs.find(({ id }) => id === profile.hubId);
      // A checkout says it of its cart.
      if (onVerified) onVerified();
      else if (before && own && own.id !== before.id) toastMarket(own.name, before, "Stay", switchHub);
    } catch {
      close();
      toast({ text: messages.afterLogin, tone: "error" });
    }
  };
}
