import type { NextBox } from "@marketday/contracts/subscriptions";
import { addDollars, subtractDollars, timesDollars } from "@marketday/domain/money";
import { WAIVED_LINE } from "@marketday/domain/waived";
import { Money } from "@marketday/ui/price.tsx";
import { Sum, Sums } from "@marketday/ui/sums.tsx";

/** A box's totals, dollars; dimmed while they are recalculated. */
export function BoxTotals({ box, dim }: { box: NextBox; dim: boolean }) {
  const items = addDollars(...box.lines.map(({ price, quantity }) => timesDollars(price, quantity)));
  const discount = subtractDollars(items, box.subtotal);
  const parts: [string, number][] = [
    ["Items", items],
    ...(discount > 0 ? [["Discount", -discount] as [string, number]] : []),
    ...(box.tip > 0 ? [["Tip for the driver", box.tip] as [string, number]] : []),
    [box.fulfillment?.type === "pickup" ? "Pickup" : "Home delivery", box.deliveryFee],
    ["Processing fee", subtractDollars(box.fees, box.deliveryFee)],
    ["Tax", box.tax],
    ...(box.waived > 0 ? [[WAIVED_LINE, -box.waived] as [string, number]] : []),
  ];
  return (
    <Sums dim={dim}>
      {parts.map(([label, amount]) => (
        <Sum key={label} label={label}>
          <Money amount={amount} />
        </Sum>
      ))}
      <Sum label="Total" strong>
        <Money amount={box.orderTotal} />
      </Sum>
    </Sums>
  );
}
