import type { FeedCard } from "@marketday/contracts/feed";
import type { Product } from "@marketday/contracts/products";

import { presentPictureOrNull } from "../../lib/picture.ts";
import { presentVendorRef } from "../products/present.ts";
import type { CardRow } from "./store.ts";

/**
 * Row → contract. What nobody wrote is said by the thing itself: the product's or vendor's name, whose it is and where
 * from. A card without a vendor speaks for the market.
 */
export function presentCard(row: CardRow, product: Product | null, marketName: string): FeedCard {
  const vendor = row.vendor && presentVendorRef(row.vendor);
  const place = vendor ? [vendor.city, vendor.state].filter(Boolean).join(", ") : "";
  return {
    id: row.key,
    type: row.type,
    title: row.title || product?.title || vendor?.name || marketName,
    subtitle: row.subtitle || (product && vendor ? vendor.name : place),
    avatar: vendor?.avatar ?? null,
    avatarLabel: row.avatar_label || vendor?.name || marketName,
    text: row.text,
    textImage: presentPictureOrNull(row.text_image),
    product,
    vendor,
    created: row.created_at.toISOString(),
  };
}
