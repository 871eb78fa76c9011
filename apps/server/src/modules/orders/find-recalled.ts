import type { Db } from "@marketday/db";
import { lineName } from "@marketday/domain/cart";

import { findRecalledItems, type RecalledItem } from "./recall-sql.ts";
import { isKnownItem } from "./recall-store.ts";

/** Units of one item in one order, with how to reach the customer. */
export interface RecalledRow extends Pick<
  RecalledItem,
  "day" | "hub" | "order_id" | "status" | "email" | "phone" | "units"
> {
  /** Empty for a deleted account. */
  name: string;
  /** The address, or the pickup point. */
  place: string;
  item: string;
}

/** Slugs of a product and of a vendor, and delivery days `YYYY-MM-DD`, both included. */
interface Recall {
  product: string | null;
  vendor: string | null;
  from: string;
  to: string;
}

const formatAddress = (address: RecalledItem["address"]): string =>
  [address?.["address"], address?.["city"], address?.["zipCode"]].filter((part) => typeof part === "string").join(", ");

/**
 * Who gets or got a product, or anything of a vendor: without canceled orders and units that were removed. Null: there is no such product
 * or vendor.
 */
export async function findRecalled(db: Db, { product, vendor, from, to }: Recall): Promise<RecalledRow[] | null> {
  if (!(await isKnownItem(db, product, vendor))) return null;
  const items = await findRecalledItems(db, {
    products: product === null ? null : [product],
    vendors: vendor === null ? null : [vendor],
    from,
    to,
  });
  return items.map(({ product: title, variant, point, address, ...row }) => ({
    ...row,
    place: point ?? formatAddress(address),
    item: lineName(title, variant),
  }));
}
