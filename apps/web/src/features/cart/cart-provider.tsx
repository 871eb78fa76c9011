import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/calls";
import type { Cart } from "@marketday/contracts/cart";
import { announce } from "@marketday/ui/live-region.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { toast } from "@marketday/ui/toast-store.ts";
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { messages } from "../../lib/messages.ts";
import { keepCart } from "../../lib/offline.ts";
import { removeItem, setItem, getItem } from "../../lib/storage.ts";
import { nameOf } from "../products/format.ts";
import { readShopper, refreshSession, useShopper } from "../session/api.ts";
import { ChangeQueue } from "./change-queue.ts";
import { keepLeftOvers, leftOvers } from "./left-over.ts";
import type { CartChange, Pending } from "./project.ts";

export const cartKey = ["cart"] as const;

/** Where unacknowledged taps wait out a reload of this tab. */
const WAITING = "cart-changes";

/** When a change of any tab last arrived, by the device, ms: a page requested before then may be rendered with an older cart. */
const ARRIVED = "cart-arrived";

interface CartTools {
  queue: ChangeQueue;
  /** Sets a line to a quantity: shown at once, sent after a moment, announced after the last tap. */
  set: (change: CartChange) => void;
  /** The cart now; undefined while it is unknown. */
  shown: () => Cart | undefined;
  /** Runs when the cart may have changed. Returns what stops it. */
  subscribe: (listener: () => void) => () => void;
}
const CartContext = createContext<CartTools | null>(null);

export const useCartTools = (): CartTools => {
  const tools = useContext(CartContext);
  if (!tools) throw new Error("useCartTools needs a <CartProvider>.");
  return tools;
};

export const cartQuery = (queue: ChangeQueue, enabled: boolean) =>
  queryOptions({
    queryKey: cartKey,
    queryFn: async ({ signal }) => queue.setServerCart(await call(calls.getCart, undefined, { signal })),
    enabled,
  });

/** The cart's queue and its links to the page's life: leaving, the network, other tabs. */
export function CartProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [{ tools, channel, offer }] = useState(() => createTools(client));

  useEffect(() => {
    const { queue } = tools;
    const flushOnLeave = () => queue.flushOnLeave();
    const resume = () => queue.resume();
    const onMessage = (event: MessageEvent<Cart>) => client.setQueryData(cartKey, queue.setServerCart(event.data));
    addEventListener("pagehide", flushOnLeave);
    addEventListener("online", resume);
    channel?.addEventListener("message", onMessage);
    queue.restore(getItem<Pending[]>("session", WAITING) ?? []);
    return () => {
      removeEventListener("pagehide", flushOnLeave);
      removeEventListener("online", resume);
      channel?.removeEventListener("message", onMessage);
    };
  }, [client, tools, channel]);

  // Of another person nothing is kept, and it is not known whose it is before someone is here.
  const { customerId } = useShopper();
  useEffect(() => {
    if (customerId !== null) offer();
  }, [customerId, offer]);

  return <CartContext value={tools}>{children}</CartContext>;
}

function createTools(client: QueryClient) {
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("marketday:cart") : null;
  const reread = () => void client.invalidateQueries({ queryKey: cartKey });
  const queue = new ChangeQueue({
    send: (lines, { customerId, seen }, options) => {
      const querystring = {
        customerId: customerId === null ? undefined : String(customerId),
        cart: seen?.id,
        revision: seen?.revision,
      };
      return call(calls.putCart, { querystring, body: lines }, options);
    },
    show: (cart) => cacheAnswer(client, cartKey, cart),
    onAcknowledged: (cart) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
      channel?.postMessage(cart);
      setItem("local", ARRIVED, performance.timeOrigin + performance.now());
      keepCart();
    },
    onCapped: ({ item: { product } }, left) => {
      const name = nameOf(product.title, product.variant);
      toast({ text: left > 0 ? `Only ${left} left, so we changed it to ${left}: ${name}` : `${name} is sold out` });
    },
    onRefused: (error, changes) => {
      // The read that was under way was given up for this write, and the refusal may be about what changed elsewhere.
      reread();
      if (error.code === "cart_full") return void toast({ text: error.message, tone: "error" });
      toast({
        text: changes.length > 1 ? messages.addItemsToCart : messages.addToCart,
        tone: "error",
        action: { label: "Retry", run: () => changes.forEach(set) },
      });
    },
    onWaiting: (pending) =>
      pending.length > 0 ? setItem("session", WAITING, pending) : removeItem("session", WAITING),
    customerId: () => readShopper(client).customerId,
    onOtherCustomer: () => void refreshSession(client),
    onLeftOver: (changes) => {
      const added = changes.filter(({ quantity, from }) => quantity > from);
      keepLeftOvers([...leftOvers(), ...added.map((change) => ({ change, deliveryDate: null }))]);
      if (added.length > 0) offer();
      else reread();
    },
  });
  if (boot.cart) {
    const isCurrent = (getItem<number>("local", ARRIVED) ?? 0) < performance.timeOrigin;
    client.setQueryData(cartKey, queue.setServerCart(boot.cart), isCurrent ? {} : { updatedAt: 0 });
  }

  let announcing: ReturnType<typeof setTimeout>;
  const set = (change: CartChange): void => {
    queue.set(change);
    clearTimeout(announcing);
    announcing = setTimeout(() => {
      const cart = shown();
      const { title, variant } = change.item.product;
      const name = nameOf(title, variant);
      const now = change.quantity === 0 ? `${name} removed` : `${name}, ${change.quantity} in cart`;
      announce(`${now}, subtotal ${formatMoney(cart?.subtotal ?? 0)}`);
    }, 400);
  };
  const show = (cart: Cart) => cacheAnswer(client, cartKey, queue.setServerCart(cart));
  const shown = () => client.getQueryData<Cart>(cartKey);
  /** Without its code the offer is made after the next load. */
  const offer = (): void => {
    if (leftOvers().length > 0)
      import("./offer-left-over.ts").then(({ offerLeftOvers }) => offerLeftOvers({ show, shown, set })).catch(reread);
  };

  // One subscription to the cache for all tiles of a page.
  const listeners = new Set<() => void>();
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === "updated" && query.queryKey[0] === cartKey[0]) listeners.forEach((listener) => listener());
  });
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const tools: CartTools = { queue, set, shown, subscribe };
  return { tools, channel, offer };
}
