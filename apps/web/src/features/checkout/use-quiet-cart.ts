import { useEffect, useState } from "react";

import { useCartTools } from "../cart/cart-provider.tsx";

/** How often the queue is looked at, and for how long at most, ms. */
const LOOK = 50;
const PATIENCE = 5000;

/**
 * True once no cart change is on its way, so that the checkout prices what the shopper sees; true as well when the queue
 * does not come to rest, as without a network: then the frame says so itself.
 */
export function useQuietCart(): boolean {
  const { queue } = useCartTools();
  const [quiet, setQuiet] = useState(() => queue.isIdle);
  useEffect(() => {
    if (quiet) return;
    const started = performance.now();
    queue.resume();
    const timer = setInterval(() => {
      if (queue.isIdle || performance.now() - started > PATIENCE) setQuiet(true);
    }, LOOK);
    return () => clearInterval(timer);
  }, [queue, quiet]);
  return quiet;
}
