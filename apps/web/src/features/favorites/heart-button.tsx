import type { Product } from "@marketday/contracts/products";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { readShopper } from "../session/api.ts";
import { useFavorite } from "./api.ts";

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
  const [isOn, setFavorite] = useFavorite(productId, product.isFavorite);
  const client = useQueryClient();
  const { openModal } = useNavigation();
  const id = useId();

  const toggle = () => {
    if (!readShopper(client).isRegistered)
      return openModal({ kind: "need-account", why: "favorite", unfinished: { favorite: productId } }, id);
    setFavorite(!isOn);
    announce(isOn ? `${title} is no longer a favorite` : `${title} is a favorite`);
  };
  return (
    <IconButton id={id} icon="heart" label={`Favorite ${title}`} pressed={isOn} floating={floating} onClick={toggle} />
  );
}
