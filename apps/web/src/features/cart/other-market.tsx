import { useAction } from "@marketday/client/forms/use-action.ts";
import type { Cart } from "@marketday/contracts/cart";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { useLayoutEffect, useRef } from "react";

import { messages } from "../../lib/messages.ts";

import s from "./other-market.module.css";

interface OtherMarketNoticeProps {
  market: NonNullable<Cart["otherMarket"]>;
  /** "Check out", "Go on": what is done in either market. */
  verb: string;
  /** Moves to the cart's market. */
  onGo: () => Promise<void>;
  /** Stays in the shopper's own; left out where there is nothing to decide. */
  onStay?: (() => Promise<void>) | undefined;
}

/** A cart of another market: both are named, and one tap leads to either (docs/product.md §3 "Market of a session"). */
export default function OtherMarketNotice({ market, verb, onGo, onStay }: OtherMarketNoticeProps) {
  const { running, error, attempt } = useAction();
  const run = (name: string, work: () => Promise<void>) => void attempt(name, work, () => messages.hubSwitch);
  const ways = useRef<HTMLDivElement>(null);
  // The notice goes with the button that was pressed: the focus moves to what names the cart.
  useLayoutEffect(() => {
    const box = ways.current;
    const cart = box?.closest("dialog, [data-fill]");
    return () => {
      if (!box?.contains(document.activeElement)) return;
      queueMicrotask(() => {
        cart?.querySelector<HTMLElement>("[data-dialog-title], [aria-selected=true]")?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <Banner
      tone="warning"
      title={market.title}
      action={
        <div ref={ways} className={s.ways}>
          {error && <p role="alert">{error}</p>}
          <Button busy={running === "go" && "Changing…"} onClick={() => run("go", onGo)}>
            {verb} at {market.name}
          </Button>
          {onStay && (
            <Button kind="outline" busy={running === "stay" && "Changing…"} onClick={() => run("stay", onStay)}>
              Shop at {market.ownName}
            </Button>
          )}
        </div>
      }
    >
      {market.body}
    </Banner>
  );
}
