import type { Product } from "@marketday/contracts/products";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useSyncExternalStore } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";
import { heartsOf } from "./api.ts";

interface HeartButtonProps {
  product: Product;
  /** On a picture: has a round background. */
  floating?: boolean;
}

/**
 * The heart of a product. A customer's tap shows at once; a guest sees that it needs an account, and the heart is set as soon
 * as they have an account (spec §4 Favorite toggle).
 */
export function HeartButton({ product, floating = false }: HeartButtonProps) {
  const { id: productId, title } = product;
  const queue = heartsOf(useQueryClient());
  const wanted = useSyncExternalStore(queue.subscribe, () => queue.wanted(productId));
  const { isRegistered } = useShopper();
  const { openModal } = useNavigation();
  const id = useId();
  const isOn = wanted ?? product.isFavorite;

  const toggle = () => {
    if (!isRegistered)
      return openModal({ kind: "need-account", why: "favorite", unfinished: { favorite: productId } }, id);
    queue.set(productId, !isOn, product.isFavorite);
    announce(isOn ? `${title} is no longer a favorite` : `${title} is a favorite`);
  };
  return (
    <IconButton id={id} icon="heart" label={`Favorite ${title}`} pressed={isOn} floating={floating} onClick={toggle} />
  );
}
