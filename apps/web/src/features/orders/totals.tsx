import { WAIVED_LINE } from "@marketday/domain/waived";
import { Money } from "@marketday/ui/price.tsx";
import { Sum, Sums } from "@marketday/ui/sums.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

/** The parts of a total, dollars. */
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
  const { items, discountAmount, tip, fees, tax, waived, orderTotal, credit, amountDue, type } = parts;
  return (
    <Sums dim={dim}>
      <Line label="Items" amount={items} />
      {discountAmount > 0 && <Line label="Discount" amount={-discountAmount} />}
      {type === "pickup" ? <Line label="Pickup" amount={0} /> : <Line label="Home delivery" amount={fees.delivery} />}
      {tip > 0 && <Line label="Tip for the driver" amount={tip} />}
      <Line label="Processing fee" amount={fees.card} />
      <Line label="Tax" amount={tax} />
      {waived > 0 && <Line label={WAIVED_LINE} amount={-waived} />}
      <Line label="Total" amount={orderTotal} strong />
      {credit > 0 && (
        <>
          <Line label="Store credit" amount={-credit} />
          <Line label="Left to pay" amount={amountDue} strong />
        </>
      )}
    </Sums>
  );
}

const Line = ({ label, amount, strong = false }: { label: string; amount: number; strong?: boolean }) => (
  <Sum label={label} strong={strong}>
    {amount === 0 && !strong ? <Free label={label} /> : <Money amount={amount} />}
  </Sum>
);

/** A part that costs nothing says so where that is news, and shows the figure where it is not. */
const Free = ({ label }: { label: string }) =>
  label === "Home delivery" || label === "Pickup" ? (
    <>
      Free<VisuallyHidden>, $0.00</VisuallyHidden>
    </>
  ) : (
    <Money amount={0} />
  );
