import { setClock } from "@marketday/client/clock.ts";
import { queryClient } from "@marketday/client/query-client.ts";
/**
 * Pages without elements: the app's own hooks, queues, caches and channels, with a driver in place of buttons. Everything that
 * decides about cart and session is the app's code; `page-driver.ts` says what a test can do.
 */
import * as calls from "@marketday/contracts/calls";
import { toastStore } from "@marketday/ui/toast-store.ts";
import { QueryClientProvider, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

import { startSessionPolling } from "../src/app/session-polling.ts";
import { login, register } from "../src/features/auth/api.ts";
import { CartProvider, cartKey, useCartTools } from "../src/features/cart/cart-provider.tsx";
import { emptyCart } from "../src/features/cart/project.ts";
import { useCart, useCartActions } from "../src/features/cart/use-cart.ts";
import { followOpenOrder } from "../src/features/checkout/follow-order.ts";
import { useSwitchHub } from "../src/features/hubs/switch-hub.ts";
import { refreshOrders } from "../src/features/orders/api.ts";
import { createGuest, logout, seedSession, useAdoptCustomer, useShopper } from "../src/features/session/api.ts";
import { subscribe, unsubscribe } from "../src/features/subscriptions/api.ts";
import { failureOf } from "../src/frames/checkout/refusal.ts";
import { boughtItems } from "../src/frames/checkout/summary.tsx";
import { useEarlier } from "../src/frames/checkout/use-earlier.ts";
import { usePlacing } from "../src/frames/checkout/use-placing.ts";
import { useQuote } from "../src/frames/checkout/use-quote.ts";
import { useAccount } from "../src/frames/shell/use-account.ts";
import { call } from "../src/lib/api.ts";
import { boot } from "../src/lib/boot.ts";
import { claimSessionStorage } from "../src/lib/storage.ts";
import type { CheckoutPage, ShopPage } from "./page-driver.ts";

declare global {
  // oxlint-disable-next-line no-var -- the pages' one name for the test
  var page: Partial<ShopPage & CheckoutPage>;
  // oxlint-disable-next-line no-var
  var testCard: { number: string; expMonth: number; expYear: number; cvc: string };
}

/** As app.tsx waits for it. */
const HEARTBEAT_MS = 1000;

function Shop() {
  const client = useQueryClient();
  const { queue } = useCartTools();
  const cart = useCart().data ?? emptyCart;
  const { customerId, hubId, isGuest } = useShopper();
  const { setVariant, setItem } = useCartActions();
  const adopt = useAdoptCustomer();
  const switchHub = useSwitchHub();
  useEffect(() => {
    let stop = () => {};
    const timer = setTimeout(() => {
      stop = startSessionPolling({ client, queue, cameBack: false });
    }, HEARTBEAT_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, queue]);
  Object.assign(globalThis.page, {
    shown: () => ({ cart, customerId, hubId, isGuest }),
    isIdle: () => queue.isIdle,
    setVariant: (product, quantity, before) => {
      const [variant] = product.variants;
      if (variant) setVariant(product, variant, quantity, before);
    },
    setLine: (variantId, quantity) => {
      const item = cart.items.find(({ product }) => product.variant.id === variantId);
      if (item) setItem(item, quantity);
    },
    subscribe: (productId, variantId, qty) =>
      subscribe(client, { productId, variantId, qty, subscription_interval: 1 }),
    unsubscribe: (productId, variantId) => unsubscribe(client, productId, variantId),
    enter: async (id) => adopt(await createGuest({ hubId: id })),
    login: async (email, password) => adopt(await login({ email, password })),
    register: async (email, password, zipCode) =>
      adopt(await register({ email, password, zipCode, firstName: "Robin", lastName: "Baker" })),
    logout,
    switchHub,
    checkoutClosed: () => {
      void client.invalidateQueries({ queryKey: cartKey });
      void refreshOrders(client);
      void followOpenOrder(client, () => undefined);
    },
    toasts: () => toastStore.current().map(({ text }) => text),
  } satisfies ShopPage);
  return null;
}

/** As in checkout-frame.tsx. */
const cartQuery = queryOptions({
  queryKey: ["cart"],
  queryFn: ({ signal }) => call(calls.getCart, undefined, { signal }),
  initialData: boot.cart ?? undefined,
  staleTime: Infinity,
  retry: false,
});

function Checkout() {
  const client = useQueryClient();
  const reloadCart = () => client.refetchQueries({ queryKey: cartQuery.queryKey });
  const { customer } = useAccount({ reload: reloadCart, isOfMarket: true });
  const { data: cart } = useQuery({ ...cartQuery, enabled: customer !== undefined });
  const earlier = useEarlier(customer?.customerId ?? null);
  const [isPaying, setPaying] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOpen = Boolean(customer && cart && boughtItems(cart).length > 0 && !earlier.isChecking);
  const choice = {
    type: "delivery" as const,
    deliveryAddress: { address: "12 Main Street", city: "Carmel", state: "IN" as const, zipCode: "46032" },
    tipPercentage: 10 as const,
  };
  const { quote, error, stale, refresh, accept } = useQuote(isOpen ? choice : null);
  const { place } = usePlacing(
    (action) => {
      if (action.type === "paying") setPaying(action.phase.kind === "placing");
    },
    (outcome) => {
      const refused = failureOf(outcome, cart?.items ?? []);
      if (refused.kind === "total_changed") {
        void reloadCart();
        if (refused.quote) accept(refused.quote);
        else refresh();
      }
      if (refused.kind === "sold_out") void reloadCart().then(refresh);
      setProblem(refused.message);
    },
  );
  const isReady = isOpen && !stale && !error && !isPaying;
  Object.assign(globalThis.page, {
    offer: () => (isReady && cart && quote ? { cart: { ...cart, items: boughtItems(cart) }, quote } : null),
    pay: () => {
      if (!quote) return;
      const seen = {
        expectedTotal: quote.orderTotal,
        expectedDeliveryDate: quote.deliveryDate,
        expectedItems: boughtItems(cart ?? emptyCart).map(({ product, fromBundleId, quantity }) => ({
          variantId: product.variant.id,
          bundleId: fromBundleId,
          quantity,
        })),
      };
      void place(async () => ({ body: { ...choice, card: globalThis.testCard, savePaymentMethod: false, ...seen } }));
    },
    isPaying: () => isPaying || earlier.isChecking,
    problem: () => problem,
  } satisfies CheckoutPage);
  return null;
}

if (boot.now) setClock(boot.now);
const isFrame = location.pathname.startsWith("/embed/");
if (isFrame) claimSessionStorage(boot.session?.customerId ?? null);
else seedSession(queryClient);
globalThis.page = {};
createRoot(document.getElementById("root") as HTMLElement).render(
  <QueryClientProvider client={queryClient}>
    {isFrame ? (
      <Checkout />
    ) : (
      <CartProvider>
        <Shop />
      </CartProvider>
    )}
  </QueryClientProvider>,
);
