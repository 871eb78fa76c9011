import { REFERRAL_FRIEND_DISCOUNT } from "@marketday/domain/limits";
import { cents, zeroCents } from "@marketday/domain/money";
import { type PricedCart, type PriceableLine, priceCart } from "@marketday/domain/price-cart";

import type { CartLineRow, DiscountCodeRow } from "./cart-sql.ts";

export type StoredLine = PriceableLine & { row: CartLineRow };

const money = (amount: number | null) => (amount === null ? null : cents(amount));

/** Prices the rows of a stored cart as of now. */
export function priceStoredCart(
  rows: { lines: readonly CartLineRow[]; code: DiscountCodeRow | null; has_referral: boolean },
  hubId: number | null,
  now: Date,
): PricedCart<StoredLine> {
  const { code } = rows;
  return priceCart({
    lines: rows.lines.map((row) => ({
      id: row.id,
      variantId: row.variant_id,
      bundleId: row.bundle_id,
      bundleDiscountPpm: row.bundle_discount_ppm,
      bundleParts: row.bundle_parts,
      quantity: row.quantity,
      unitCents: money(row.sale_price_cents ?? row.price_cents),
      inventory: row.inventory,
      isPublished: row.is_published,
      row,
    })),
    code: code && {
      percentPpm: code.percent_ppm,
      amountCents: money(code.amount_cents),
      minimumCents: cents(code.minimum_cents),
      startsAt: code.starts_at,
      endsAt: code.ends_at,
      useLimit: code.use_limit,
      oncePerCustomer: code.once_per_customer,
      hubId: code.hub_id,
      uses: code.uses,
      usedByCustomer: code.used_by_customer,
    },
    referralCents: rows.has_referral ? REFERRAL_FRIEND_DISCOUNT : zeroCents,
    hubId,
    now,
  });
}
