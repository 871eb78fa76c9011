import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import { cartKey, useCartTools } from "../features/cart/cart-provider.tsx";
import { useShopper } from "../features/session/api.ts";
import { call } from "../lib/api.ts";
import { removeSavedDiscountCode, savedDiscountCode } from "../navigation/entry-params.ts";

/**
 * Puts the code of the entry link (`?offer=`) into the cart, as soon as there is a session: who comes by
 * such a link for the first time chooses a market after it. `waiting`: the session is still being created.
 */
export function useEntryDiscountCode(waiting: boolean): void {
  const { customerId } = useShopper();
  const client = useQueryClient();
  const { queue } = useCartTools();
  const apply = useEffectEvent(async () => {
    const code = savedDiscountCode();
    if (!code) return;
    // Refused (a minimum, a date): it is tried again with the next visit of its day.
    const cart = await call(calls.putCartDiscount, { body: { code } }).catch(() => null);
    if (!cart) return;
    removeSavedDiscountCode();
    cacheAnswer(client, cartKey, queue.setServerCart(cart));
  });
  useEffect(() => {
    if (!waiting && customerId !== null) void apply();
  }, [waiting, customerId]);
}
