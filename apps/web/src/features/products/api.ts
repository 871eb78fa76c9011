import * as calls from "@marketday/contracts/calls";
import type { Product } from "@marketday/contracts/products";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { useShopper } from "../session/api.ts";
import { cachedProduct } from "./cached.ts";

export const productKeys = {
  all: ["product"] as const,
  /** `key` is the slug or id of the address. */
  one: (hubId: number | null, key: string) => ["product", hubId, key] as const,
};

export const productQuery = (hubId: number | null, key: string, messageId?: string) =>
  queryOptions({
    queryKey: productKeys.one(hubId, key),
    queryFn: ({ signal }): Promise<Product> =>
      call(calls.getProduct, { params: { id: key }, querystring: { messageId } }, { signal }),
    staleTime: 60_000,
  });

export function seedProduct(client: QueryClient): void {
  if (boot.product)
    client.setQueryData(productKeys.one(boot.session?.hubId ?? null, boot.product.key), boot.product.product);
}

/** The same product out of any list that is there: the provisional one while the full data load (spec §4 Product detail). */
const provisionalProduct = (client: QueryClient, hubId: number | null, key: string): Product | undefined =>
  cachedProduct(client, hubId, ({ slug, id }) => slug === key || String(id) === key);

/** A product by slug or id, in the shopper's hub. When it cannot be read, what a list knew of it stays. */
export function useProduct(key: string, messageId?: string) {
  const { hubId } = useShopper();
  const client = useQueryClient();
  const query = useQuery({
    ...productQuery(hubId, key, messageId),
    placeholderData: () => provisionalProduct(client, hubId, key),
  });
  const known = query.data ?? (query.error ? provisionalProduct(client, hubId, key) : undefined);
  return { ...query, data: known, isPlaceholderData: query.isPlaceholderData || query.data === undefined };
}
