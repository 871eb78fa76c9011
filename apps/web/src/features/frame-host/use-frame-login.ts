import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import { messages } from "../../lib/messages.ts";
import { useNavigation } from "../../navigation/use-navigation.tsx";
import { reloadVisitor } from "../session/api.ts";

/**
 * After `customer-logged-in` (spec §4): the session is verified and everything that belongs to it refetched, then
 * `onVerified`. When that fails the frame closes, with §8's sentence.
 */
export function useFrameLogin() {
  const client = useQueryClient();
  const { close } = useNavigation();
  return async (onVerified?: () => void): Promise<void> => {
    try {
      const { profile } = await reloadVisitor(client);
      if (!profile || profile.isGuest) throw new Error("The frame logged in, the session did not.");
      onVerified?.();
    } catch {
      close();
      toast({ text: messages.afterLogin, tone: "error" });
    }
  };
}
