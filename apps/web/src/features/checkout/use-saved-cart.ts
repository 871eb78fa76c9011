import { useEffect, useSyncExternalStore } from "react";

import { useCartTools } from "../cart/cart-provider.tsx";

/**
 * How far the shopper's cart is saved: the checkout prices what the server has, so it opens once everything is there.
 * `failed`: the last request got no answer; it is sent again until it is.
 */
export function useSavedCart(): { state: "saved" | "saving" | "failed"; retry: () => void } {
  const { queue } = useCartTools();
  const state = useSyncExternalStore(queue.subscribe, () =>
    queue.isIdle ? "saved" : queue.isFailing ? "failed" : "saving",
  );
  useEffect(() => queue.resume(), [queue]);
  return { state, retry: () => queue.resume() };
}
