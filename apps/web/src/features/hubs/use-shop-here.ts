import { useAction } from "@marketday/client/forms/use-action.ts";
import { toast } from "@marketday/ui/toast-store.ts";

import { messages } from "../../lib/messages.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useShopper } from "../session/api.ts";
import { useSwitchHub } from "./switch-hub.ts";

/**
 * Shop Here (spec §4): a customer moves to the market and goes to /, a guest registers first.
 * In the current market it only goes to /.
 */
export function useShopHere(hub: { id: number; name: string }) {
  const { hubId, isRegistered } = useShopper();
  const switchHub = useSwitchHub();
  const { navigate, openModal } = useNavigation();
  const { running, error, attempt } = useAction();

  /** `replace`: the entry this is started from does not stay in the history. */
  const move = async (replace = false): Promise<void> => {
    if (running) return;
    if (hub.id !== hubId) {
      toast({ text: messages.changingMarket(hub.name) });
      const moved = await attempt("switch", () => switchHub(hub.id));
      if (moved === null) return;
    }
    void navigate(paths.root, { replace });
  };

  /** `opener`: id of the button, for the focus to come back to. */
  const shopHere = (opener: string): void => {
    if (isRegistered || hub.id === hubId) void move();
    else openModal({ kind: "shop-here", hub: { id: hub.id, name: hub.name } }, opener);
  };
  return { shopHere, move, isHere: hub.id === hubId, isBusy: running !== null, hasFailed: error !== null };
}
