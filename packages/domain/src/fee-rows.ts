/** The fees of an order, all in one unit: cents, or dollars. */
export interface Fees {
  type: "delivery" | "pickup";
  delivery: number;
  processing: number;
  tax: number;
}

/** A line of a total. `isFree`: "Free" instead of a zero. */
export interface TotalRow {
  label: string;
  amount: number;
  isFree: boolean;
}

/** A line with its amount, also where that is zero. */
export const amountRow = (label: string, amount: number): TotalRow => ({ label, amount, isFree: false });

/** How it is received, which is free or has its fee. Pickup never costs anything. */
export const deliveryRow = ({ type, delivery }: Pick<Fees, "type" | "delivery">): TotalRow =>
  type === "pickup"
    ? { label: "Pickup", amount: 0, isFree: true }
    : { label: "Home delivery", amount: delivery, isFree: delivery === 0 };

/** The fee for processing the payment. */
export const processingRow = ({ processing }: Pick<Fees, "processing">): TotalRow =>
  amountRow("Processing fee", processing);

/** The tax on the items. */
export const taxRow = ({ tax }: Pick<Fees, "tax">): TotalRow => amountRow("Tax", tax);
