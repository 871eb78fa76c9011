import { amountRow, deliveryRow, type Fees, processingRow, taxRow, type TotalRow } from "./fee-rows.ts";
import { type Cents, formatUsd } from "./money.ts";
import { WAIVED_LINE } from "./waived.ts";

/** The parts of a total, in the unit of its fees. */
export interface TotalParts extends Fees {
  /** Before any discount. */
  items: number;
  discount: number;
  tip: number;
  /** A rest that is too small for a card. */
  waived: number;
}

/**
 * The lines of a total, the same in cart, checkout, next boxes, receipts, mails and `orders show`: delivery and processing are two.
 * Discount, tip and the waived rest are left out where they are zero.
 */
export const totalRows = ({ items, discount, tip, waived, ...rest }: TotalParts): TotalRow[] => [
  amountRow("Items", items),
  ...(discount > 0 ? [amountRow("Discount", -discount)] : []),
  deliveryRow(rest),
  ...(tip > 0 ? [amountRow("Tip for the driver", tip)] : []),
  processingRow(rest),
  taxRow(rest),
  ...(waived > 0 ? [amountRow(WAIVED_LINE, -waived)] : []),
];

/** A line in cents as text, for mails and terminals: "Home delivery" and "Free". */
export const formatTotalRow = ({ label, amount, isFree }: TotalRow): [label: string, amount: string] => [
  label,
  isFree ? "Free" : formatUsd(amount as Cents),
];
