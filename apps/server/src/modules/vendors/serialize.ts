import type { Vendor } from "@marketday/contracts/vendors";

import { serializePictureOrNull } from "../../lib/picture.ts";
import type { VendorRow } from "./store.ts";

/** An average of scores with two decimals; 0 without any (spec §3 endorsementScore). */
export const roundScore = (score: number | null): number => (score === null ? 0 : Math.round(score * 100) / 100);

/** Row → contract, as a guest sees it. */
export const serializeVendor = (row: VendorRow): Vendor => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  city: row.city,
  state: row.state,
  avatar: serializePictureOrNull(row.avatar),
  heroImage: serializePictureOrNull(row.hero),
  isFollowed: false,
  endorsementScore: roundScore(row.score),
  description: row.description,
  followers: row.followers,
  products: row.products,
});
