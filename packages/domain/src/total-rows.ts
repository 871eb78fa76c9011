import { type Cents, formatUsd } from "./money.ts";
import { WAIVED_LINE } from "./waived.ts";

/** The fees of an order, all in one unit: cents, or dollars. */
export interface Fees {
  type: "delivery" | "pickup";
  delivery: number;
  processing: number;
}

/** The parts of a total, in the same unit. */
export interface TotalParts extends Fees {
  /** Before any discount. */
  items: number;
  discount: number;
  tip: number;
  tax: number;
  /** A rest that is too small for a card. */
  waived: number;
}

/** A line of a total. `isFree`: "Free" instead of a zero. */
export interface TotalRow {
  label: string;
  amount: number;
  isFree: boolean;
}

const row = (label: string, amount: number): TotalRow => ({ label, amount, isFree: false });

/** How it is received, which is free or has its fee. Pickup never costs anything. */
export const deliveryRow = ({ type, delivery }: Pick<Fees, "type" | "delivery">): TotalRow =>
  type === "pickup"
    ? { label: "Pickup", amount: 0, isFree: true }
    : { label: "Home delivery", amount: delivery, isFree: delivery === 0 };

export const processingRow = ({ processing }: Pick<Fees, "processing">): TotalRow => row("Processing fee", processing);

export const taxRow = ({ tax }: Pick<TotalParts, "tax">): TotalRow => row("Tax", tax);

/**
 * The lines of a total, the same in cart, checkout, next boxes, receipts, mails and `orders show`: delivery and processing are two.
 * What is not in it is left out, except what one looks for.
 */
export const totalRows = ({ items, discount, tip, waived, ...rest }: TotalParts): TotalRow[] => [
  row("Items", items),
  ...(discount > 0 ? [row("Discount", -discount)] : []),
  deliveryRow(rest),
  ...(tip > 0 ? [row("Tip for the driver", tip)] : []),
  processingRow(rest),
  taxRow(rest),
  ...(waived > 0 ? [row(WAIVED_LINE, -waived)] : []),
];

/** A line in cents as text, for mails and terminals: "Home delivery" and "Free". */
export const formatTotalRow = ({ label, amount, isFree }: TotalRow): [label: string, amount: string] => [
  label,
  isFree ? "Free" : formatUsd(amount as Cents),
];
