import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/calls";
import type { NextBox, Subscription, SubscriptionStatus } from "@marketday/contracts/subscriptions";
import type { TipPercentage } from "@marketday/domain/limits";
import { AUTO_CHECKOUT, type AutoCheckoutStatus } from "@marketday/domain/subscription";
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import type { z } from "zod";

import { call, callPaged } from "../../lib/api.ts";
import { cartKey } from "../cart/cart-provider.tsx";
import { listOfProducts } from "../products/api.ts";
import { useShopper } from "../session/api.ts";

export const subscriptionKeys = {
  all: ["subscriptions"] as const,
  list: ["subscriptions", "list"] as const,
  status: ["subscriptions", "status"] as const,
  tip: ["subscriptions", "tip"] as const,
  boxes: ["subscriptions", "boxes"] as const,
  bundles: ["subscriptions", "bundles"] as const,
  recommended: ["subscriptions", "recommended"] as const,
};
export type Status = z.infer<typeof SubscriptionStatus>;

export const listQuery = queryOptions({
  queryKey: subscriptionKeys.list,
  queryFn: ({ signal }): Promise<Subscription[]> => call(calls.listSubscriptions, undefined, { signal }),
});
export const statusQuery = queryOptions({
  queryKey: subscriptionKeys.status,
  queryFn: ({ signal }): Promise<Status> => call(calls.getSubscriptionStatus, undefined, { signal }),
});
export const tipQuery = queryOptions({
  queryKey: subscriptionKeys.tip,
  queryFn: ({ signal }) => call(calls.getDefaultTip, undefined, { signal }),
});
export const boxesQuery = queryOptions({
  queryKey: subscriptionKeys.boxes,
  queryFn: ({ signal }): Promise<NextBox[]> => call(calls.listNextBoxes, undefined, { signal }),
  // Depends on stock and cart: always refetched.
  staleTime: 0,
});
export const subscribedBundlesQuery = queryOptions({
  queryKey: subscriptionKeys.bundles,
  queryFn: ({ signal }) => call(calls.listSubscribedBundles, undefined, { signal }),
});
export const recommendedQuery = queryOptions({
  queryKey: subscriptionKeys.recommended,
  queryFn: async ({ signal }) => (await callPaged(calls.listRecommendations, { querystring: {} }, { signal })).rows,
  meta: listOfProducts,
});

/** The shopper's subscription to a variant; undefined without one, or while it is unknown. */
export function useSubscription(variantId: number): Subscription | undefined {
  const { isRegistered } = useShopper();
  const { data } = useQuery({ ...listQuery, enabled: isRegistered });
  return data?.find(({ product }) => product.variant.id === variantId);
}

/** The server has put due lines into the cart, or taken them out; boxes and advice follow. */
function followed(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: cartKey });
  for (const queryKey of [subscriptionKeys.boxes, subscriptionKeys.recommended])
    void client.invalidateQueries({ queryKey });
}

/** The answer of every change: the whole list, as it is now. */
function adopt(client: QueryClient, list: Subscription[]): void {
  cacheAnswer(client, subscriptionKeys.list, list);
  followed(client);
}

export interface Wanted {
  productId: number;
  variantId: number;
  qty: number;
  subscription_interval: number;
}

/** Subscribes, or changes quantity or interval. Throws ApiError. */
export async function subscribe(client: QueryClient, wanted: Wanted): Promise<void> {
  adopt(client, await call(calls.subscribe, { body: wanted }));
}

/** Ends a subscription. Throws ApiError. */
export async function unsubscribe(client: QueryClient, productId: number, variantId: number): Promise<void> {
  adopt(client, await call(calls.unsubscribe, { querystring: {}, body: { productId, variantId } }));
}

/** Rests a subscription until a date `YYYY-MM-DD`; null wakes it. Throws ApiError. */
export async function pause(client: QueryClient, variantId: number, until: string | null): Promise<void> {
  adopt(client, await call(calls.pauseSubscription, { body: { variantId, until } }));
}

/** Takes nothing from a delivery, or takes that back. Throws ApiError. */
export async function skip(client: QueryClient, deliveryDate: string, on: boolean): Promise<void> {
  adopt(client, await call(calls.skipDelivery, { body: { deliveryDate, skip: on } }));
}

/** Off, full cart, or only subscribed items (spec §4: `enabled` is true when not 0). Throws ApiError. */
export async function setStatus(client: QueryClient, status: AutoCheckoutStatus): Promise<void> {
  const body = { enabled: status !== AUTO_CHECKOUT.off, status };
  cacheAnswer(client, subscriptionKeys.status, await call(calls.putSubscriptionStatus, { body }));
  followed(client);
}

/** Throws ApiError. */
export async function setTip(client: QueryClient, percentage: TipPercentage): Promise<void> {
  cacheAnswer(client, subscriptionKeys.tip, await call(calls.putDefaultTip, { body: { percentage } }));
  void client.invalidateQueries({ queryKey: subscriptionKeys.boxes });
}
