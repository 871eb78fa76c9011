import type { Customer } from "@marketday/contracts/account";
import { useEffect, useState } from "react";

import { findOpenOrder, settleOrder } from "../../features/checkout/open-order.ts";
import type { PlaceOutcome } from "../../features/checkout/place.ts";
import { openPaymentKey } from "../../lib/open-payment.ts";
import { orderPlaced, usePaying } from "../shell/host.ts";

/**
 * How the customer's earlier try to pay ended, where this tab was left before its response: looked up when the checkout opens.
 * A placed order opens its confirmation. `outcome` null: there is none.
 */
export function useEarlier(customerId: Customer["customerId"] | null) {
  const [isPending, setPending] = useState(() => openPaymentKey("checkout") !== null);
  const [outcome, setOutcome] = useState<PlaceOutcome | null>(null);
  const isChecking = customerId !== null && isPending;
  usePaying(isChecking);
  useEffect(() => {
    if (!isChecking) return;
    let isGone = false;
    void findOpenOrder().then((found) => {
      if (isGone) return;
      if (found) settleOrder(found);
      if (found?.kind === "placed") orderPlaced(found.orderId);
      setOutcome(found);
      setPending(false);
    });
    return () => {
      isGone = true;
    };
  }, [isChecking]);
  return { isChecking, outcome };
}
