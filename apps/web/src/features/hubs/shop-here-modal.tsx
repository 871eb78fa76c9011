import { topModal } from "@marketday/client/overlays/overlay-stack.ts";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Grid, Stack } from "@marketday/ui/layout.tsx";
import { useEffect, useRef } from "react";

import { messages } from "../../lib/messages.ts";
import type { ModalProps } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";
import { useShopHere } from "./use-shop-here.ts";

/**
 * A guest who would like to shop in another market registers first (spec §4, §6). The question stays below the form: as
 * soon as there is an account it continues automatically.
 */
export default function ShopHereModal({
  modal: { hub },
}: ModalProps<{ kind: "shop-here"; hub: { id: number; name: string } }>) {
  const { close, openModal } = useNavigation();
  const { isRegistered } = useShopper();
  const { move, isBusy, hasFailed } = useShopHere(hub);
  const isTop = useNavigation(({ layers }) => topModal(layers)?.kind === "shop-here");
  const moved = useRef(false);

  useEffect(() => {
    if (!isRegistered || !isTop || moved.current) return;
    moved.current = true;
    void move(true);
  });

  return (
    <DialogBody>
      <Stack gap={4}>
        <DialogTitle>{isRegistered ? hub.name : `Register to shop at ${hub.name}`}</DialogTitle>
        {isRegistered ? (
          <p>{hasFailed ? "You're still in the same market as before." : messages.changingMarket(hub.name)}</p>
        ) : (
          <p>You need a free account to choose a market. Your cart comes with you.</p>
        )}
        {hasFailed && (
          <Banner tone="error" role="alert">
            {messages.hubSwitch}
          </Banner>
        )}
        <Grid min="button" gap={3}>
          <Button kind="outline" size="lg" onClick={close}>
            Cancel
          </Button>
          {isRegistered ? (
            <Button size="lg" busy={isBusy && "Changing…"} onClick={() => void move(true)}>
              Try again
            </Button>
          ) : (
            <Button
              id="shop-here-register"
              size="lg"
              onClick={() => openModal({ kind: "register" }, "shop-here-register")}
            >
              Register
            </Button>
          )}
        </Grid>
      </Stack>
    </DialogBody>
  );
}
