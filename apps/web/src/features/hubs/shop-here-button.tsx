import type { Hub } from "@marketday/contracts/hubs";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button, type ButtonLook } from "@marketday/ui/button.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import { messages } from "../../lib/messages.ts";
import { useShopHere } from "./use-shop-here.ts";

/** Shop Here, with the spec's words when it does not work. */
export function ShopHereButton({ hub, ...look }: { hub: Pick<Hub, "id" | "name"> } & ButtonLook) {
  const { shopHere, isBusy, hasFailed } = useShopHere(hub);
  const id = `shop-here-${hub.id}`;
  return (
    <>
      <Button {...look} id={id} busy={isBusy && "Changing…"} onClick={() => shopHere(id)}>
        Shop Here<VisuallyHidden> at {hub.name}</VisuallyHidden>
      </Button>
      {hasFailed && (
        <Banner tone="error" role="alert">
          {messages.hubSwitch}
        </Banner>
      )}
    </>
  );
}
