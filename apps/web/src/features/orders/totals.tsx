import { totalRows } from "@marketday/domain/total-rows";
import { Money } from "@marketday/ui/price.tsx";
import { Sum, Sums } from "@marketday/ui/sums.tsx";

import { RowAmount } from "./row-amount.tsx";

/** A total with its parts, dollars. */
export interface TotalParts {
  /** The items before any discount. */
  items: number;
  discountAmount: number;
  tip: number;
  fees: { delivery: number; card: number };
  tax: number;
  /** A rest that is too small for a card. */
  waived: number;
  orderTotal: number;
  /** Store credit used; it lowers what is due, not the total. */
  credit: number;
  amountDue: number;
  type: "delivery" | "pickup";
}

/** A till receipt: every part that is in the total, dashed rule, total, and what is left to pay. */
export function Totals({ parts, dim }: { parts: TotalParts; dim?: boolean }) {
  const { discountAmount, fees, orderTotal, credit, amountDue } = parts;
  const rows = totalRows({ ...parts, discount: discountAmount, delivery: fees.delivery, processing: fees.card });
  return (
    <Sums dim={dim}>
      {rows.map((row) => (
        <Sum key={row.label} label={row.label}>
          <RowAmount row={row} />
        </Sum>
      ))}
      <Sum label="Total" strong>
        <Money amount={orderTotal} />
      </Sum>
      {credit > 0 && (
        <>
          <Sum label="Store credit">
            <Money amount={-credit} />
          </Sum>
          <Sum label="Left to pay" strong>
            <Money amount={amountDue} />
          </Sum>
        </>
      )}
    </Sums>
  );
}
