import { type LedgerEntry, saleEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import type { EditableOrder, EditedTotals } from "./edit-sql.ts";

export type BookedTotals = Pick<
  EditedTotals,
  "tipCents" | "taxCents" | "cardFeeCents" | "deliveryFeeCents" | "discountCents" | "waivedCents"
>;

/** The ledger entries of a sale with these quantities (one per line) and totals. Vendors' shares use the commission frozen at the sale. */
export const saleOf = (
  customerId: number | null,
  order: Pick<EditableOrder, "items">,
  quantities: readonly number[],
  totals: BookedTotals,
): LedgerEntry[] =>
  saleEntries({
    customerId,
    lines: order.items.map((item, index) => ({
      vendorId: item.vendor_id,
      quantity: quantities[index] ?? 0,
      unitCents: cents(item.unit_price_cents),
      commissionPpm: item.commission_ppm,
    })),
    tipCents: cents(totals.tipCents),
    taxCents: cents(totals.taxCents),
    cardFeeCents: cents(totals.cardFeeCents),
    deliveryFeeCents: cents(totals.deliveryFeeCents),
    discountCents: cents(totals.discountCents),
    waivedCents: cents(totals.waivedCents),
  });

/** The totals that the order is currently booked with. */
export const bookedTotals = (order: EditableOrder): BookedTotals => ({
  tipCents: order.tip_cents,
  taxCents: order.tax_cents,
  cardFeeCents: order.card_fee_cents,
  deliveryFeeCents: order.delivery_fee_cents,
  discountCents: order.discount_cents,
  waivedCents: order.waived_cents,
});
