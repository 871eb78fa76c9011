import * as calls from "@marketday/contracts/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import { cartKey, useCartTools } from "../features/cart/cart-provider.tsx";
import { useShopper } from "../features/session/api.ts";
import { call } from "../lib/api.ts";
import { forgetOffer, keptOffer } from "./entry-params.ts";

/**
 * Puts the code that an address brought (`?offer=`) into the cart of whoever is here, as soon as somebody is: who comes by
 * such a link for the first time says where they live after it. `waiting`: their session is still being made.
 */
export function useKeptOffer(waiting: boolean): void {
  const { customerId } = useShopper();
  const client = useQueryClient();
  const { queue } = useCartTools();
  const apply = useEffectEvent(async () => {
    const code = keptOffer();
    if (!code) return;
    // Refused (a minimum, a date): it is tried again with the next visit of its day.
    const cart = await call(calls.putCartDiscount, { body: { code } }).catch(() => null);
    if (!cart) return;
    forgetOffer();
    client.setQueryData(cartKey, queue.acknowledge(cart));
  });
  useEffect(() => {
    if (!waiting && customerId !== null) void apply();
  }, [waiting, customerId]);
}
