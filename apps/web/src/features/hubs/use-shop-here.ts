import { useState } from "react";
import { useNavigate } from "react-router";

import { messages } from "../../lib/messages.ts";
import { paths } from "../../navigation/paths.ts";
import { useOverlays } from "../../navigation/use-overlays.ts";
import { toast } from "../../ui/toast-store.ts";
import { useShopper } from "../session/api.ts";
import { useSwitchHub } from "./api.ts";

/**
 * Shop Here (spec §4): a customer moves to the market and goes to /, a guest registers first.
 * In the current market it only goes to /.
 */
export function useShopHere(hub: { id: number; name: string }) {
  const { hubId, isRegistered } = useShopper();
  const switchHub = useSwitchHub();
  const navigate = useNavigate();
  const { openModal } = useOverlays();
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");

  /** `replace`: the entry this is started from does not stay in the history. */
  const move = async (replace = false): Promise<void> => {
    if (state === "busy") return;
    if (hub.id !== hubId) {
      setState("busy");
      toast({ text: messages.changingMarket(hub.name) });
      try {
        await switchHub(hub.id);
      } catch {
        setState("failed");
        return;
      }
      setState("idle");
    }
    void navigate(paths.root, { replace });
  };

  /** `opener`: id of the button, for the focus to come back to. */
  const shopHere = (opener: string): void => {
    if (isRegistered || hub.id === hubId) void move();
    else openModal({ kind: "shop-here", hub: { id: hub.id, name: hub.name } }, opener);
  };
  return { shopHere, move, isHere: hub.id === hubId, isBusy: state === "busy", hasFailed: state === "failed" };
}
