import * as calls from "@marketday/contracts/calls";
import type { PaymentMethod } from "@marketday/contracts/payments";
import { useCallback, useEffect, useState } from "react";

import { call } from "../../lib/api.ts";

/** The saved cards, the default first; null while they are on their way. */
export function useMethods() {
  const [methods, setMethods] = useState<PaymentMethod[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const load = useCallback(async () => {
    setError(null);
    await call(calls.listPaymentMethods).then(setMethods, (failure: unknown) =>
      setError(failure instanceof Error ? failure.message : null),
    );
  }, []);
  useEffect(() => void load(), [load]);
  return { methods, error, load, setMethods };
}
