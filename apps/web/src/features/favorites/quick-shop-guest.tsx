import { Button } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { Cluster } from "@marketday/ui/layout.tsx";
import { useId } from "react";
import { useLocation } from "react-router";

import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";

/** Quick Shop is a customer's: a guest is offered a free account, or the way back (spec §6). */
export function QuickShopGuest({ withBack }: { withBack: boolean }) {
  const { navigate, openModal } = useNavigation();
  const { key } = useLocation();
  const id = useId();
  // The first address of a visit has nothing of ours before it.
  const back = () => void (key === "default" ? navigate(paths.shop) : navigate(-1));
  return (
    <EmptyState
      icon="bookmark"
      title="Create a free account to use Quick Shop"
      action={
        <Cluster gap={3} align="stretch" justify="center">
          <Button id={id} onClick={() => openModal({ kind: "register" }, id)}>
            Registration
          </Button>
          {withBack && (
            <Button kind="outline" onClick={back}>
              Go Back
            </Button>
          )}
        </Cluster>
      }
    >
      Your favorites and most-ordered items, ready to add.
    </EmptyState>
  );
}
