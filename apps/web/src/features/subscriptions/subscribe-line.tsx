import { useAction } from "@marketday/client/forms/use-action.ts";
import type { Product, Variant } from "@marketday/contracts/products";
import { Button } from "@marketday/ui/button.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";

import { orCartFull } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { useShopper } from "../session/api.ts";
import { subscribe, useSubscription } from "./api.ts";
import { formatInterval } from "./format.ts";

import s from "./subscribe-line.module.css";

interface SubscribeLineProps {
  product: Product;
  variant: Variant;
}

/**
 * Subscribe, or Subscribed (spec §4 Subscribe flow): once a week to begin with, and My Subscriptions opens to say how
 * many and how often. Hidden for guests (spec §6), and on what can only be pre-ordered.
 */
export function SubscribeLine({ product, variant }: SubscribeLineProps) {
  const client = useQueryClient();
  const { isRegistered } = useShopper();
  const { open } = useNavigation();
  const { running, error, attempt } = useAction();
  const known = useSubscription(variant.id);
  const id = useId();
  if (!isRegistered || variant.preOrderDate !== null) return null;
  const isOn = known !== undefined || variant.isSubscribed;

  const press = () => {
    if (isOn) return open(paths.subscription, id);
    const wanted = { productId: product.id, variantId: variant.id, qty: 1, subscription_interval: 1 };
    return void attempt(
      "subscribe",
      async () => {
        await subscribe(client, wanted);
        open(paths.subscription, id);
      },
      orCartFull(messages.productSubscribe),
    );
  };
  return (
    <>
      <span className={s.line}>
        <span>
          {known
            ? `${known.quantity} ${formatInterval(known.subscription_interval).toLowerCase()}`
            : isOn
              ? "Ordered automatically"
              : "Get it regularly"}
        </span>
        <Button
          id={id}
          kind="link"
          icon={isOn ? "check" : "again"}
          aria-pressed={isOn}
          busy={running !== null && "Saving…"}
          onClick={press}
        >
          {isOn ? "Subscribed" : "Subscribe"}
        </Button>
      </span>
      {error && <AlertBox>{error}</AlertBox>}
    </>
  );
}
