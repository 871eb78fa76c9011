import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { messages } from "../../lib/messages.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { reloadSession } from "../session/api.ts";

/**
 * After `customer-logged-in` (spec §4): the session is verified and everything that belongs to it refetched, then
 * `onVerified`. When that fails the frame closes, with §8's sentence. A frame that was left meanwhile stays left.
 */
export function useFrameLogin() {
  const client = useQueryClient();
  const { close } = useNavigation();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return async (onVerified?: () => void): Promise<void> => {
    try {
      const { profile } = await reloadSession(client);
      if (!profile || profile.isGuest) throw new Error("The frame logged in, the session did not.");
      if (isOpen.current) onVerified?.();
    } catch {
      if (isOpen.current) close();
      toast({ text: messages.afterLogin, tone: "error" });
    }
  };
}
