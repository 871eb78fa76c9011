import type { NextBox } from "@marketday/contracts/subscriptions";
import { addDollars, subtractDollars, timesDollars } from "@marketday/domain/money";

import { Totals } from "../orders/totals.tsx";

/** A box's totals, dollars; dimmed while they are recalculated. */
export function BoxTotals({ box, dim }: { box: NextBox; dim: boolean }) {
  const items = addDollars(...box.lines.map(({ price, quantity }) => timesDollars(price, quantity)));
  return (
    <Totals
      dim={dim}
      parts={{
        ...box,
        type: box.fulfillment?.type ?? "delivery",
        items,
        discountAmount: subtractDollars(items, box.subtotal),
        fees: { delivery: box.deliveryFee, card: subtractDollars(box.fees, box.deliveryFee) },
        credit: 0,
        amountDue: box.orderTotal,
      }}
    />
  );
}
