import type { FeedCard } from "@marketday/contracts/feed";
import type { Product } from "@marketday/contracts/products";

import { serializePictureOrNull } from "../pictures/picture-row.ts";
import { serializeVendorRef } from "../products/serialize.ts";
import type { CardRow } from "./feed-sql.ts";

/**
 * Row → contract. A card without text gets the product's or vendor's name, the vendor and its place. A card without a vendor is the
 * market's.
 */
export function serializeCard(row: CardRow, product: Product | null, marketName: string): FeedCard {
  const vendor = row.vendor && serializeVendorRef(row.vendor);
  const place = vendor ? [vendor.city, vendor.state].filter(Boolean).join(", ") : "";
  return {
    id: row.key,
    type: row.type,
    title: row.title || product?.title || vendor?.name || marketName,
    subtitle: row.subtitle || (product && vendor ? vendor.name : place),
    avatar: vendor?.avatar ?? null,
    avatarLabel: row.avatar_label || vendor?.name || marketName,
    text: row.text,
    textImage: serializePictureOrNull(row.text_image),
    product,
    vendor,
    created: row.created_at.toISOString(),
  };
}
