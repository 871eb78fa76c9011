import type { NextBox } from "@marketday/contracts/subscriptions";

import { Money } from "../../ui/price.tsx";
import { Sum, Sums } from "../../ui/sums.tsx";
import { dollars } from "./format.ts";

/** A box's totals, dollars; dimmed while they are recalculated. */
export function BoxTotals({ box, dim }: { box: NextBox; dim: boolean }) {
  const items = dollars(box.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0));
  const discount = dollars(items - box.subtotal);
  const parts: [string, number][] = [
    ["Items", items],
    ...(discount > 0 ? [["Discount", -discount] as [string, number]] : []),
    ["Tip for the driver", box.tip],
    ["Home delivery and processing", box.fees],
    ["Tax", box.tax],
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
